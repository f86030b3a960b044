// CAT: 476
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: The null pointer is asked for before it is read.
#include <stddef.h>
#include "v.h"

struct handler { int code; const int *data; };

static const int low = 1, high = 2;
static const struct handler handlers[] = { { 3, &low }, { 9, NULL }, { 27, &high } };

int main(void)
{
    int code = __VERIFIER_nondet_int();
    int result = 0;
    for (unsigned i = 0; i < sizeof handlers / sizeof handlers[0]; i++) {
        if (handlers[i].code != code)
            continue;
        if (handlers[i].data == NULL)
            break;
        result = *handlers[i].data;
    }
    return result;
}
