// CAT: 127
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: The backward search ends at the start of the path.
#include <stdlib.h>
#include <string.h>
#include "v.h"

static int base_name(const char *path)
{
    int i = (int)strlen(path) - 1;
    while (i >= 0 && path[i] != '/')
        i--;
    return i + 1;
}

int main(void)
{
    char *path = malloc(6);
    if (path == NULL)
        return 1;
    strcpy(path, "ab/cd");
    if (!__VERIFIER_nondet_bool())
        path[2] = '_';
    int at = base_name(path);
    free(path);
    return at;
}
