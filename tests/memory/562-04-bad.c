// CAT: 562
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 17
// WITNESS: 2
// WHY: A list in static storage keeps nodes that lived in the frames of a recursion.
#include <stddef.h>
#include "v.h"

struct frame { int depth; struct frame *outer; };

static struct frame *innermost;

static int count(void)
{
    int n = 0;
    for (struct frame *f = innermost; f != NULL; f = f->outer)
        n++;
    return n;
}

static int enter(int depth, struct frame *outer)
{
    struct frame here = { depth, outer };
    int n = 0;
    innermost = &here;
    if (depth > 0)
        n = enter(depth - 1, &here);
    return n;
}

int main(void)
{
    int depth = __VERIFIER_nondet_int();
    if (depth < 0 || depth > 4)
        return 0;
    int n = enter(depth, NULL);
    return n + count();
}
