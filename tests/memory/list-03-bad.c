// CAT: list
// TRUTH: unsafe
// PROPERTY: valid-memtrack
// LINE: 16
// WITNESS: 2
// WHY: A node taken out of the middle of the list is unlinked and not freed.
#include <stdlib.h>
#include "v.h"

struct node { int key; struct node *next; };

static struct node *build(int n)
{
    struct node *head = NULL;
    for (int k = n; k > 0; k--) {
        struct node *x = malloc(sizeof *x);
        if (!x)
            break;
        x->key = k;
        x->next = head;
        head = x;
    }
    return head;
}

static void take_out(struct node **at, int key)
{
    for (; *at; at = &(*at)->next)
        if ((*at)->key == key) {
            *at = (*at)->next;
            return;
        }
}

int main(void)
{
    struct node *head = build(4);
    take_out(&head, __VERIFIER_nondet_int());
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
