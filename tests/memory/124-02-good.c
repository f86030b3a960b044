// CAT: 124
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: Numbers of more than three digits are turned away.
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
    if (value >= 1000)
        return 0;
    buffer = malloc(DIGITS);
    if (buffer == NULL)
        return 1;
    int at = spell(buffer, value);
    free(buffer);
    return at;
}
