// CAT: 126
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: The search ends at the last code.
#include <stdlib.h>
#include "v.h"

static unsigned find(const unsigned char *codes, unsigned n, unsigned char key)
{
    unsigned i = 0;
    while (i < n && codes[i] != key)
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
    at = find(codes, 6, key);
    free(codes);
    return at == 6;
}
