// CAT: 401
// TRUTH: unsafe
// PROPERTY: valid-memtrack
// LINE: 26
// WITNESS: 4 1
// WHY: When the step over a small block fails, realloc's argument is overwritten by the null pointer of the own grow function.
#include <stdlib.h>
#include "v.h"

static unsigned limit;

static void *grow(void *old, unsigned bytes)
{
    if (bytes > limit)
        return NULL;
    return realloc(old, bytes);
}

int main(void)
{
    unsigned char first = __VERIFIER_nondet_uchar();
    unsigned char more = __VERIFIER_nondet_uchar();
    limit = 4;
    if (first < 1 || first > limit || more > 4)
        return 0;
    char *b = malloc(first);
    if (b == NULL)
        return 1;
    b[0] = 'b';
    b = grow(b, (unsigned)first + more);
    if (b == NULL)
        return 2;
    int r = b[0] != 'b';
    free(b);
    return r;
}
