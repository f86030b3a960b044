// CAT: 690
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: A null pointer of the own allocator ends the loop.
#include <stdlib.h>
#include "v.h"

struct budget { unsigned left; };

static void *get(struct budget *b, unsigned bytes)
{
    if (bytes > b->left)
        return NULL;
    b->left -= bytes;
    return malloc(bytes);
}

int main(void)
{
    struct budget budget = { 16 };
    int *made[3] = { NULL, NULL, NULL };
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 3)
        return 0;
    for (unsigned i = 0; i < n; i++) {
        made[i] = get(&budget, 8);
        if (!made[i])
            break;
        *made[i] = 1;
    }
    for (unsigned i = 0; i < 3; i++)
        free(made[i]);
    return 0;
}
