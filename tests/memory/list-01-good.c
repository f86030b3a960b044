// CAT: list
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: The maximum of an empty list is zero.
#include <stdlib.h>
#include "v.h"

struct node {
    int value;
    struct node *next;
};

static struct node *push(struct node *head, int value)
{
    struct node *n = malloc(sizeof *n);
    if (n == NULL)
        return head;
    n->value = value;
    n->next = head;
    return n;
}

static int maximum(const struct node *head)
{
    if (head == NULL)
        return 0;
    int best = head->value;
    for (head = head->next; head; head = head->next)
        if (head->value > best)
            best = head->value;
    return best;
}

int main(void)
{
    struct node *head = NULL;
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 3)
        return 0;
    for (unsigned i = 0; i < n; i++)
        head = push(head, (int)(i * 7 % 5));
    int best = maximum(head);
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return best;
}
