// CAT: buffer
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 15
// WITNESS: 2
// WHY: The gap is closed from the right with one element more than there is behind it.
#include <stdlib.h>
#include <string.h>
#include "v.h"

#define N 5

static void remove_at(int *a, unsigned *n, unsigned at)
{
    memmove(a + at, a + at + 1, (*n - at) * sizeof *a);
    --*n;
}

int main(void)
{
    void (*edit)(int *, unsigned *, unsigned) = remove_at;
    unsigned n = N;
    unsigned at = __VERIFIER_nondet_uint();
    int *a = malloc(N * sizeof *a);
    if (!a)
        return 1;
    for (int i = 0; i < N; i++)
        a[i] = i;
    if (at < n)
        edit(a, &n, at);
    int last = a[n - 1];
    free(a);
    return last;
}
