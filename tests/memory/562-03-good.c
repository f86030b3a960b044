// CAT: 562
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: The variable belongs to the function and lives as long as the pointer.
#include "v.h"

static int half(int x) { return x / 2; }

int main(void)
{
    int even = 2;
    int *chosen = &even;
    int n = __VERIFIER_nondet_int();
    int odd = 0;

    if (n % 2 != 0) {
        odd = half(n) + 1;
        chosen = &odd;
    }
    if (n > 100 || n < 0)
        return 0;
    return *chosen + n;
}
