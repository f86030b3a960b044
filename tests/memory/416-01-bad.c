// CAT: 416
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 15
// WITNESS: 3
// WHY: The value of a cell is read after the cell has been freed.
#include <stdlib.h>
#include "v.h"

struct cell { int value; struct cell *partner; };

static int take(struct cell *c)
{
    free(c);
    return c->value;
}

int main(void)
{
    struct cell *c = malloc(sizeof *c);
    if (c == NULL)
        return 1;
    c->partner = c;
    c->value = __VERIFIER_nondet_int();
    if (c->value != 3) {
        free(c);
        return 0;
    }
    return take(c) == 3;
}
