// CAT: 127
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: The first reading has no neighbour before it and is skipped.
#include "v.h"

static int same_as_before(const int *data, int i)
{
    return data[i] == data[i - 1];
}

int main(void)
{
    int readings[6] = { 4, 4, 5, 7, 7, 9 };
    int runs = 0;
    int from = __VERIFIER_nondet_int();
    if (from < 1 || from > 5)
        return 0;
    for (int i = from; i < 6; i++)
        if (same_as_before(readings, i))
            runs++;
    return runs;
}
