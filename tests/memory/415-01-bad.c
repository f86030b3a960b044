// CAT: 415
// TRUTH: unsafe
// PROPERTY: valid-free
// LINE: 25
// WITNESS: 200
// WHY: The failing branch frees the buffer and falls into the clean-up that frees it again.
#include <stdlib.h>
#include "v.h"

static int parse(unsigned char tag)
{
    int status = 0;
    int *state = malloc(2 * sizeof *state);
    if (!state)
        return -1;
    state[0] = tag;
    state[1] = tag / 2;
    if (state[1] == 100) {
        status = -2;
        free(state);
        goto out;
    }
    status = state[0];
out:
    free(state);
    return status;
}

int main(void)
{
    unsigned char tag = __VERIFIER_nondet_uchar();
    return parse(tag) < 0;
}
