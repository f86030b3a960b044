// CAT: 562
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 23
// WITNESS: 7
// WHY: A pointer set in an inner block points to a variable of that block after the block has ended.
#include "v.h"

static int half(int x) { return x / 2; }

int main(void)
{
    int even = 2;
    int *chosen = &even;
    int n = __VERIFIER_nondet_int();

    if (n % 2 != 0) {
        int odd = half(n) + 1;
        chosen = &odd;
    }
    if (n > 100 || n < 0)
        return 0;
    return *chosen + n;
}
