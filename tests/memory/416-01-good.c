// CAT: 416
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: The value of the cell is read before the cell is freed.
#include <stdlib.h>
#include "v.h"

struct cell { int value; struct cell *partner; };

static int take(struct cell *c)
{
    int v = c->value;
    free(c);
    return v;
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
