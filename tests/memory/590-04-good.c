// CAT: 590
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: Blocks from the static pool are told apart by a flag kept with the pointer.
#include <stdlib.h>
#include "v.h"

union chunk { long number; char bytes[16]; };
struct handle { union chunk *at; int pooled; };

static struct handle get(unsigned taken)
{
    static union chunk pool[2];
    struct handle h = { NULL, taken < 2 };
    h.at = h.pooled ? &pool[taken] : malloc(sizeof(union chunk));
    return h;
}

static void put(struct handle h)
{
    if (!h.pooled)
        free(h.at);
}

int main(void)
{
    unsigned taken = __VERIFIER_nondet_uint();
    struct handle h = get(taken);
    if (h.at) {
        h.at->number = __VERIFIER_nondet_int();
        h.at->bytes[0] = 1;
    }
    put(h);
    return 0;
}
