// CAT: 415
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: After a successful realloc only the new pointer is freed.
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
        if (w)
            v = NULL;
    }
    free(w);
    free(v);
    return 0;
}
