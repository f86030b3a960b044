// CAT: 127
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 14
// WITNESS: 0
// WHY: The backward search for a slash runs past the start of a path that has none.
#include <stdlib.h>
#include <string.h>
#include "v.h"

static int base_name(const char *path)
{
    int i = (int)strlen(path) - 1;
    while (path[i] != '/')
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
