// CAT: 415
// TRUTH: unsafe
// PROPERTY: valid-free
// LINE: 31
// WITNESS: 1 1
// WHY: Two places of a table may share one block, and the final loop frees every place.
#include <stdlib.h>
#include "v.h"

#define N 3

int main(void)
{
    int *place[N] = { 0 };
    int from, to;

    for (int i = 0; i < N; i++) {
        place[i] = malloc(sizeof(int));
        if (place[i])
            *place[i] = i;
    }
    from = __VERIFIER_nondet_int();
    if (from >= 0 && from < N - 1) {
        to = from + 1;
        if (__VERIFIER_nondet_bool()) {
            free(place[to]);
            place[to] = place[from];
        }
    }
    for (int i = 0; i < N; i++)
        free(place[i]);
    return 0;
}
