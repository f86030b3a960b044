// CAT: 122
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: The vector raises its capacity only after realloc has given it the larger block.
#include <stdlib.h>
#include "v.h"

static struct {
    int *items;
    unsigned used, capacity;
} vec;

static int grow(void)
{
    int *larger = realloc(vec.items, 2 * vec.capacity * sizeof(int));
    if (!larger)
        return 0;
    vec.items = larger;
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
