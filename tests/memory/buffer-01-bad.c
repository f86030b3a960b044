// CAT: buffer
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 16
// WITNESS: 3
// WHY: The ring writes before it wraps, so the fourth put lands behind the block of three.
#include <stdlib.h>
#include "v.h"

struct ring { int *slot; unsigned size, head; };

static void put(struct ring *r, int v)
{
    if (r->head > r->size)
        r->head = 0;
    r->slot[r->head++] = v;
}

int main(void)
{
    struct ring r = { NULL, 3, 0 };
    unsigned char puts = __VERIFIER_nondet_uchar();
    r.slot = calloc(r.size, sizeof *r.slot);
    if (!r.slot)
        return 1;
    for (int i = 0; i <= puts && i < 6; i++)
        put(&r, i);
    int last = r.slot[0];
    free(r.slot);
    return last;
}
