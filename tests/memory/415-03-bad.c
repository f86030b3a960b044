// CAT: 415
// TRUTH: unsafe
// PROPERTY: valid-free
// LINE: 26
// WITNESS: 7
// WHY: A record is copied by assignment, so both copies own the same block and both free it.
#include <stdlib.h>
#include <string.h>
#include "v.h"

struct text { char *chars; unsigned n; };

static struct text clone(const struct text *t)
{
    struct text c = *t;
    if (t->n >= 7)
        return c;
    c.chars = malloc(t->n);
    if (c.chars)
        memcpy(c.chars, t->chars, t->n);
    return c;
}

static void drop(struct text *t)
{
    free(t->chars);
    t->chars = NULL;
    t->n = 0;
}

int main(void)
{
    struct text a, b;
    a.n = __VERIFIER_nondet_uint();
    if (a.n == 0 || a.n > 9)
        return 0;
    a.chars = calloc(a.n, 1);
    if (!a.chars)
        return 1;
    b = clone(&a);
    drop(&a);
    drop(&b);
    return 0;
}
