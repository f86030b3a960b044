// CAT: 124
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: An empty line is left alone.
#include <string.h>
#include "v.h"

static void chop(char *line)
{
    int len = (int)strlen(line);
    if (len > 0)
        line[len - 1] = '\0';
}

int main(void)
{
    char line[8];
    int n = __VERIFIER_nondet_int();
    int i;
    if (n < 0 || n > 7)
        return 0;
    for (i = 0; i < n; i++)
        line[i] = 'x';
    line[n] = '\0';
    chop(line);
    return line[0];
}
