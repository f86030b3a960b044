// CAT: list
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: The shared payload is freed with its owner only.
#include <stdlib.h>
#include "v.h"

struct node { struct node *next; int key; long *payload; };

static struct node *cons(int key, struct node *rest)
{
    struct node *n = malloc(sizeof *n);
    if (n == NULL)
        return rest;
    n->key = key;
    n->next = rest;
    if (rest && rest->key == key)
        n->payload = rest->payload;
    else
        n->payload = calloc(1, sizeof(long));
    return n;
}

static void destroy(struct node *n)
{
    while (n != NULL) {
        struct node *next = n->next;
        if (!next || next->key != n->key)
            free(n->payload);
        free(n);
        n = next;
    }
}

int main(void)
{
    struct node *list = NULL;
    int key = __VERIFIER_nondet_int();
    for (int k = 1; k <= 3; k++)
        list = cons(k == 3 ? key : k, list);
    destroy(list);
    return 0;
}
