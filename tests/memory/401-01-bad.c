// CAT: 401
// TRUTH: unsafe
// PROPERTY: valid-memtrack
// LINE: 14
// WITNESS: 0 5
// WHY: The early return after a failed check forgets the first block.
#include <stdlib.h>
#include "v.h"

static int work(void)
{
    int result = -1;
    char *out = NULL;
    char *in = malloc(8);
    if (!in)
        goto done;
    in[0] = (char)__VERIFIER_nondet_uchar();
    if (in[0] == 0)
        return result;
    out = malloc(8);
    if (!out)
        goto done;
    out[0] = in[0];
    result = out[0];
done:
    free(out);
    free(in);
    return result;
}

int main(void)
{
    int failures = 0;
    for (int i = 0; i < 2; i++)
        if (work() < 0)
            failures++;
    return failures;
}
