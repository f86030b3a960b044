// CAT: 416
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: The pointer is made anew from the index after the realloc.
#include <stdlib.h>
#include "v.h"

static int *block;
static unsigned capacity;

static int reserve(unsigned n)
{
    int *b;
    if (n <= capacity)
        return 1;
    b = realloc(block, n * sizeof *b);
    if (!b)
        return 0;
    block = b;
    capacity = n;
    return 1;
}

int main(void)
{
    unsigned want = __VERIFIER_nondet_uint();
    int *best;
    if (want > 100)
        return 0;
    if (!reserve(4))
        return 1;
    best = block + 2;
    *best = 5;
    if (!reserve(want)) {
        free(block);
        return 1;
    }
    best = block + 2;
    int r = *best;
    free(block);
    block = NULL;
    return r;
}
