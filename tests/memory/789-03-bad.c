// CAT: 789
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 32
// WITNESS: 3 3
// WHY: The size of the block and the number of items come from two inputs that are not compared.
#include <stdlib.h>
#include "v.h"

struct batch {
    unsigned char size;
    unsigned char items;
    short *item;
};

static int load(struct batch *b)
{
    b->size = __VERIFIER_nondet_uchar();
    b->items = __VERIFIER_nondet_uchar();
    if (b->size > 10 || b->items > 5)
        return 0;
    b->item = malloc(b->size);
    return b->item != NULL;
}

int main(void)
{
    struct batch b = { 0, 0, NULL };
    if (!load(&b))
        return 1;
    for (short i = 0; i < b.items; i++)
        b.item[i] = i;
    free(b.item);
    return 0;
}
