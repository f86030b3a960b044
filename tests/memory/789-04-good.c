// CAT: 789
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: The sum is kept in a type that can hold it.
#include <stdlib.h>
#include <string.h>
#include "v.h"

enum { HEADER = 4 };

static unsigned char *frame(unsigned char length)
{
    unsigned total = length + (unsigned)HEADER;
    unsigned char *f = malloc(total);
    if (!f)
        return NULL;
    memset(f, 0, HEADER);
    if (total > HEADER)
        f[HEADER] = length;
    return f;
}

int main(void)
{
    unsigned char *f = frame(__VERIFIER_nondet_uchar());
    if (!f)
        return 1;
    int r = f[0];
    free(f);
    return r;
}
