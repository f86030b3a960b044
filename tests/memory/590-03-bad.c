// CAT: 590
// TRUTH: unsafe
// PROPERTY: valid-free
// LINE: 33
// WITNESS: 2
// WHY: The sentinel of a list is a static object, and the loop over all nodes frees it too.
#include <stdlib.h>
#include "v.h"

struct node { struct node *next; };

static struct node sentinel;

static struct node *prepend(struct node *list)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        return list;
    n->next = list;
    return n;
}

int main(void)
{
    struct node *list = &sentinel;
    int count = __VERIFIER_nondet_int();
    if (count < 0 || count > 4)
        return 0;
    while (count-- > 0)
        list = prepend(list);
    while (list != NULL) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
