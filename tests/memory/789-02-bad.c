// CAT: 789
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 27
// WITNESS: 1073741825
// WHY: The number of bytes wraps around in 32 bits, so the block is shorter than its count says.
#include <stdlib.h>
#include "v.h"

static unsigned *reserve(unsigned count)
{
    unsigned bytes = count * (unsigned)sizeof(unsigned);
    if (count == 0)
        return NULL;
    return malloc(bytes);
}

int main(void)
{
    unsigned count = __VERIFIER_nondet_uint();
    unsigned *a;
    __VERIFIER_assume(count <= 8 || count == 1073741825u);
    a = reserve(count);
    if (a == NULL)
        return 0;
    for (unsigned i = 0; i < count && i < 4; i++)
        a[i] = i;
    free(a);
    return 0;
}
