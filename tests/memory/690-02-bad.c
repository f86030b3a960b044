// CAT: 690
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 24
// WITNESS: 0
// WHY: The text has no colon when the input is zero, and the null pointer of strchr is written through.
#include <string.h>
#include "v.h"

static char *separator(char *line)
{
    return strchr(line, ':');
}

int main(void)
{
    char line[] = "key value";
    unsigned at = __VERIFIER_nondet_uint();
    if (at > 8)
        return 0;
    if (at > 0)
        line[at] = ':';
    char *colon = separator(line);
    *colon = '\0';
    return strlen(line) == at;
}
