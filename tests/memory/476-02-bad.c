// CAT: 476
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 27
// WITNESS: 0
// WHY: The output parameter stays null when nothing is produced, and is written nevertheless.
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
    if (!produce(n, &made) && n > 0)
        return 1;
    made[0] = n;
    free(made);
    return 0;
}
