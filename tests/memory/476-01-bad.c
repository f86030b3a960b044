// CAT: 476
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 22
// WITNESS: 9
// WHY: A handler that is not registered leaves a null pointer to its data, which is read.
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
        result = *handlers[i].data;
    }
    return result;
}
