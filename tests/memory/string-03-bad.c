// CAT: string
// TRUTH: unsafe
// PROPERTY: valid-memtrack
// LINE: 14
// WITNESS: 1 1
// WHY: The duplicate made for an upper case copy is lost when the text has no letter to change.
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>
#include "v.h"

static char *upper(const char *s)
{
    char *copy = strdup(s);
    int changed = 0;
    if (!copy)
        return NULL;
    for (char *p = copy; *p; p++)
        if (*p >= 'a' && *p <= 'z') {
            *p = (char)(*p - 'a' + 'A');
            changed = 1;
        }
    if (!changed) {
        return NULL;
    }
    return copy;
}

int main(void)
{
    int result = 0;
    for (int i = 0; i < 2; i++) {
        const char *s = __VERIFIER_nondet_bool() ? "42" : "b2";
        char *u = upper(s);
        if (u)
            result += u[0];
        free(u);
    }
    return result;
}
