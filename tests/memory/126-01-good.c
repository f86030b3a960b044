// CAT: 126
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: Each record is copied with its own size.
#include <string.h>
#include <stdlib.h>
#include "v.h"

struct brief { int id; };
struct full { int id; int extra[3]; };

static void *make(int full)
{
    return calloc(1, full ? sizeof(struct full) : sizeof(struct brief));
}

int main(void)
{
    struct full target = { 0, { 0 } };
    int full = __VERIFIER_nondet_bool();
    void *record = make(full);
    if (!record)
        return 1;
    memcpy(&target, record, full ? sizeof target : sizeof(struct brief));
    free(record);
    return target.id;
}
