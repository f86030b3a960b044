// CAT: 789
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: A block has one byte more than asked for, and so two at least.
#include <stdlib.h>
#include "v.h"

static char *line_of(unsigned n)
{
    char *line = malloc(n + 1);
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
