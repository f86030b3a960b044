// CAT: 761
// TRUTH: unsafe
// PROPERTY: valid-free
// LINE: 26
// WITNESS: 1
// WHY: The pointer to a member is handed to free where the object around it was allocated.
#include <stdlib.h>
#include <stddef.h>
#include "v.h"

struct link { int rank; };
struct job { long id; struct link link; };

static struct link *job_new(long id)
{
    struct job *j = malloc(sizeof *j);
    if (!j)
        return NULL;
    j->id = id;
    j->link.rank = 0;
    return &j->link;
}

static void job_free(struct link *l)
{
    free(l);
}

int main(void)
{
    struct link *l = NULL;
    if (__VERIFIER_nondet_bool())
        l = job_new(4);
    if (l)
        job_free(l);
    return 0;
}
