// CAT: string
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: The last byte of the field is always set to zero.
#include <string.h>
#include "v.h"

#define FIELD 8

static void store(char *field, const char *name)
{
    strncpy(field, name, FIELD);
    field[FIELD - 1] = '\0';
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
