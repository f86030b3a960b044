// CAT: 127
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: A distance back beyond the first value gives zero.
#include <stdlib.h>
#include "v.h"

struct history {
    short *seen;
    short *end;
};

static short back(const struct history *h, int distance)
{
    if (distance > h->end - h->seen)
        return 0;
    return h->end[-distance];
}

int main(void)
{
    struct history h;
    short (*look)(const struct history *, int) = back;
    int n = __VERIFIER_nondet_int(), d = __VERIFIER_nondet_int();
    if (n < 1 || n > 4 || d < 1 || d > 4)
        return 0;
    h.seen = h.end = calloc(4, sizeof(short));
    if (!h.seen)
        return 1;
    while (h.end < h.seen + n)
        *h.end++ = 9;
    short r = look(&h, d);
    free(h.seen);
    return r == 9;
}
