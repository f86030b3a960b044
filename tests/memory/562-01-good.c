// CAT: 562
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: The array is static and outlives the function.
#include "v.h"

static const int *pick(const int *from, int i)
{
    return from + i;
}

static const int *lookup(int i)
{
    static int powers[5] = { 1, 2, 4, 8, 16 };
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
