// CAT: 126
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 30
// WITNESS: 5
// WHY: A name that fills its buffer has no final zero, and strlen reads on.
#include <string.h>
#include <stdlib.h>
#include "v.h"

#define SIZE 5

static char *name(unsigned n)
{
    char *s = calloc(SIZE, 1);
    if (s)
        for (unsigned i = 0; i < n; i++)
            s[i] = (char)('a' + i);
    return s;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n > SIZE)
        return 0;
    char *s = name(n);
    if (!s)
        return 1;
    size_t length = strlen(s);
    free(s);
    return length == n ? 0 : 2;
}
