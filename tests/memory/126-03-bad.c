// CAT: 126
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 18
// WITNESS: 4 2
// WHY: The window is allowed to begin inside the table and to end behind it.
#include "v.h"

static const int table[5] = { 2, 3, 5, 7, 11 };

struct window { const int *from; unsigned length; };

static int sum(const struct window *w)
{
    int s = 0;
    const int *p = w->from;
    for (unsigned left = w->length; left-- > 0;)
        s += *p++;
    return s;
}

int main(void)
{
    unsigned start = __VERIFIER_nondet_uint();
    unsigned length = __VERIFIER_nondet_uint();
    if (start > 4 || length > 4)
        return 0;
    if (start + length > 6)
        return 0;
    struct window w = { table + start, length };
    return sum(&w) > 100;
}
