// CAT: 401
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: The old pointer is kept until the grow function has succeeded.
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
    char *larger = grow(b, (unsigned)first + more);
    if (larger == NULL) {
        free(b);
        return 2;
    }
    b = larger;
    int r = b[0] != 'b';
    free(b);
    return r;
}
