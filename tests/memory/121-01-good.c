// CAT: 121
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: The loop stops before n, and n is at most 8.
#include "v.h"

#define COUNT 8

static void fill(int *values, int n)
{
    int i;
    for (i = 0; i < n; i++)
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
