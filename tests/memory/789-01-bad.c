// CAT: 789
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 16
// WITNESS: 1
// WHY: A block of one byte is allowed, but two bytes are written at its start.
#include <stdlib.h>
#include "v.h"

static char *line_of(unsigned n)
{
    char *line = malloc(n);
    if (line == NULL)
        return NULL;
    line[0] = '#';
    line[1] = '\0';
    return line;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n < 1 || n > 1000)
        return 0;
    char *line = line_of(n);
    if (line) {
        int c = line[0];
        free(line);
        return c;
    }
    return 1;
}
