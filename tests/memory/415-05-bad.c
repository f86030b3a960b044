// CAT: 415
// TRUTH: unsafe
// PROPERTY: valid-free
// LINE: 30
// WITNESS: 0
// WHY: A realloc to a larger block frees the old one, and the old pointer is freed as well.
#include <stdlib.h>
#include "v.h"

static long *widen(long *v, unsigned n)
{
    long *w = realloc(v, n * sizeof *w);
    if (w)
        w[n - 1] = 0;
    return w;
}

int main(void)
{
    long *v = malloc(2 * sizeof *v);
    long *w = NULL;
    if (!v)
        return 1;
    v[0] = v[1] = 1;
    unsigned char skip = __VERIFIER_nondet_uchar();
    if (!skip) {
        w = widen(v, 64);
    }
    free(w);
    free(v);
    return 0;
}
