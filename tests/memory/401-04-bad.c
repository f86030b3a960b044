// CAT: 401
// TRUTH: unsafe
// PROPERTY: valid-memtrack
// LINE: 14
// WITNESS: 0 1 1
// WHY: A slot of the table of handles that is in use is filled again and the old block is lost.
#include <stdlib.h>
#include "v.h"

static int *slots[3];

static int open_slot(unsigned i)
{
    slots[i] = malloc(sizeof(int));
    if (!slots[i])
        return 0;
    *slots[i] = (int)i;
    return 1;
}

static void close_all(void)
{
    for (int i = 0; i < 3; i++) {
        free(slots[i]);
        slots[i] = NULL;
    }
}

int main(void)
{
    int opened = 0;
    for (int step = 0; step < 3; step++) {
        unsigned i = __VERIFIER_nondet_uint();
        __VERIFIER_assume(i < 3);
        opened += open_slot(i);
    }
    close_all();
    return opened;
}
