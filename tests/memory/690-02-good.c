// CAT: 690
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: The result of strchr is looked at.
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
    if (colon == NULL)
        return 1;
    *colon = '\0';
    return strlen(line) == at;
}
