// CAT: string
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 26
// WITNESS: 8
// WHY: strncpy of a name as long as the field leaves no final zero, and strlen reads past the field.
#include <string.h>
#include "v.h"

#define FIELD 8

static void store(char *field, const char *name)
{
    strncpy(field, name, FIELD);
}

int main(void)
{
    char name[FIELD + 1] = { 0 };
    char field[FIELD];
    unsigned n = __VERIFIER_nondet_uint();
    if (n > FIELD)
        return 0;
    memset(name, 'n', n);
    store(field, name);
    return (int)strlen(field);
}
