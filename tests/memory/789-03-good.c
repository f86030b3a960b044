// CAT: 789
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: An item count beyond the room of the block is cut down.
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
    if (b->items > b->size / sizeof *b->item)
        b->items = (unsigned char)(b->size / sizeof *b->item);
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
