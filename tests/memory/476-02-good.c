// CAT: 476
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: The caller looks at the result of the function that sets the output parameter.
#include <stdlib.h>
#include "v.h"

static int produce(unsigned n, int **out)
{
    *out = NULL;
    if (n == 0)
        return 0;
    *out = calloc(n, sizeof **out);
    return *out != NULL;
}

int main(void)
{
    unsigned char n = __VERIFIER_nondet_uchar();
    int *made;
    if (n > 9)
        return 0;
    if (!produce(n, &made))
        return 1;
    made[0] = n;
    free(made);
    return 0;
}
