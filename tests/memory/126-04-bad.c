// CAT: 126
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 14
// WITNESS: 0
// WHY: The search runs to the key without looking at the end, and 0 is not among the codes.
#include <stdlib.h>
#include "v.h"

static unsigned find(const unsigned char *codes, unsigned n, unsigned char key)
{
    unsigned i = 0;
    (void)n;
    while (codes[i] != key)
        i++;
    return i;
}

int main(void)
{
    unsigned char *codes = malloc(6);
    unsigned at, i;
    if (!codes)
        return 1;
    for (i = 0; i < 6; i++)
        codes[i] = (unsigned char)(40 + 3 * i);
    unsigned char key = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(key == 0 || key == 43);
    at = find(codes, 6, key);
    free(codes);
    return at == 6;
}
