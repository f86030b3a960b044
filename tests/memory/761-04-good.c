// CAT: 761
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: The start of the object is found from the member with offsetof.
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
    free((char *)l - offsetof(struct job, link));
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
