// CAT: 562
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 27
// WITNESS: 4
// WHY: The function gives back the address of its own array, which is read after the function has ended.
#include "v.h"

static const int *pick(const int *from, int i)
{
    return from + i;
}

static const int *lookup(int i)
{
    int powers[5] = { 1, 2, 4, 8, 16 };
    return pick(powers, i);
}

int main(void)
{
    int i = __VERIFIER_nondet_int();
    const int *p;
    if (i < 0 || i > 4)
        return 0;
    p = lookup(i);
    return *p == 16;
}
