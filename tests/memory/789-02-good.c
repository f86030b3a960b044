// CAT: 789
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: Counts whose bytes would wrap around are refused.
#include <stdlib.h>
#include "v.h"

static unsigned *reserve(unsigned count)
{
    unsigned bytes = count * (unsigned)sizeof(unsigned);
    if (count == 0 || count > 1000)
        return NULL;
    return malloc(bytes);
}

int main(void)
{
    unsigned count = __VERIFIER_nondet_uint();
    unsigned *a;
    a = reserve(count);
    if (a == NULL)
        return 0;
    for (unsigned i = 0; i < count && i < 4; i++)
        a[i] = i;
    free(a);
    return 0;
}
