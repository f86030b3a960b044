// CAT: 124
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 13
// WITNESS: 0
// WHY: The last character of an empty line is overwritten, one before its start.
#include <string.h>
#include "v.h"

static void chop(char *line)
{
    int len = (int)strlen(line);
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
