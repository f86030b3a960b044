// CAT: 121
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 15
// WITNESS: 8
// WHY: The loop counts up to and including n, so n = 8 writes values[8] of an array of 8.
#include "v.h"

#define COUNT 8

static void fill(int *values, int n)
{
    int i;
    for (i = 0; i <= n; i++)
        values[i] = i * i;
}

int main(void)
{
    int values[COUNT] = {0};
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > COUNT)
        return 0;
    fill(values, n);
    return values[0];
}
