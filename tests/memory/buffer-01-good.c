// CAT: buffer
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: The position is wrapped before the write.
#include <stdlib.h>
#include "v.h"

struct ring { int *slot; unsigned size, head; };

static void put(struct ring *r, int v)
{
    if (r->head >= r->size)
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
