// CAT: 122
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: The copy has room for the final zero.
#include <stdlib.h>
#include <string.h>
#include "v.h"

static const char *table[] = { "red", "green", "blue" };

static char *copy_of(const char *s)
{
    size_t n = strlen(s);
    char *c = malloc(n + 1);
    if (c == NULL)
        return NULL;
    for (size_t i = 0; i < n; i++)
        c[i] = s[i];
    c[n] = 0;
    return c;
}

int main(void)
{
    unsigned k = __VERIFIER_nondet_uint();
    char *c;
    if (k >= 3)
        return 0;
    c = copy_of(table[k]);
    if (c == NULL)
        return 1;
    int r = c[0] == 'g';
    free(c);
    return r;
}
