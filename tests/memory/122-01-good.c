// CAT: 122
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: As many elements are written as were allocated.
#include <stdlib.h>
#include "v.h"

static int *squares(int n)
{
    int *a = malloc(sizeof(int) * (unsigned)n);
    int *p = a;
    if (!a)
        return NULL;
    for (int i = 1; i <= n; i++)
        *p++ = i * i;
    return a;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int *a;
    if (n < 1 || n > 5)
        return 1;
    a = squares(n);
    if (a) {
        int first = a[0];
        free(a);
        return first;
    }
    return 0;
}
