// CAT: 124
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: Nothing is given back when nothing is taken.
#include <stdlib.h>
#include "v.h"

static struct pool {
    int *marks;
    int taken;
} pool;

static void take(void)
{
    if (pool.taken < 3)
        pool.marks[pool.taken++] = 1;
}

static void give_back(void)
{
    if (pool.taken == 0)
        return;
    pool.marks[--pool.taken] = 0;
}

int main(void)
{
    pool.marks = calloc(3, sizeof *pool.marks);
    if (!pool.marks)
        return 1;
    for (int i = 0; i < 3; i++) {
        if (__VERIFIER_nondet_bool())
            take();
        else
            give_back();
    }
    free(pool.marks);
    pool.marks = 0;
    return 0;
}
