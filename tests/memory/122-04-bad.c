// CAT: 122
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 25
// WITNESS: 3
// WHY: The vector raises its capacity without moving to a larger block.
#include <stdlib.h>
#include "v.h"

static struct {
    int *items;
    unsigned used, capacity;
} vec;

static int grow(void)
{
    vec.capacity *= 2;
    return 1;
}

static int push(int v)
{
    if (vec.used == vec.capacity && !grow())
        return 0;
    vec.items[vec.used++] = v;
    return 1;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint() % 5;
    vec.items = malloc(2 * sizeof(int));
    if (!vec.items)
        return 1;
    vec.capacity = 2;
    for (unsigned i = 0; i < n; i++)
        if (!push((int)i))
            break;
    free(vec.items);
    vec.items = NULL;
    return 0;
}
