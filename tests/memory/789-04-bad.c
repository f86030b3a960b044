// CAT: 789
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 19
// WITNESS: 254
// WHY: The sum of length and header is kept in a byte and wraps around to a small size.
#include <stdlib.h>
#include <string.h>
#include "v.h"

enum { HEADER = 4 };

static unsigned char *frame(unsigned char length)
{
    unsigned char total = (unsigned char)(length + HEADER);
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
