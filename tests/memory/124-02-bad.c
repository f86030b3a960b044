// CAT: 124
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 16
// WITNESS: 1000
// WHY: A number of four digits is written backwards into a buffer of three.
#include <stdlib.h>
#include "v.h"

#define DIGITS 3

static int spell(char *buffer, unsigned value)
{
    int at = DIGITS;
    do {
        buffer[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    return at;
}

int main(void)
{
    unsigned value = __VERIFIER_nondet_uint();
    char *buffer;
    if (value > 1000)
        return 0;
    buffer = malloc(DIGITS);
    if (buffer == NULL)
        return 1;
    int at = spell(buffer, value);
    free(buffer);
    return at;
}
