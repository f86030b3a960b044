// CAT: 415
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: A shared place is cleared before the final loop.
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
            place[to] = NULL;
        }
    }
    for (int i = 0; i < N; i++)
        free(place[i]);
    return 0;
}
