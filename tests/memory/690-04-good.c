// CAT: 690
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: The way up ends at the root.
#include <stddef.h>
#include "v.h"

typedef struct place {
    const char *name;
    const struct place *parent;
} place;

static const place world = { "world", NULL };
static const place land = { "land", &world };
static const place town = { "town", &land };
static const place *const all[] = { &town, &land, &world };

static const place *parent(const place *p)
{
    return p->parent;
}

int main(void)
{
    unsigned k = __VERIFIER_nondet_uint();
    unsigned up = __VERIFIER_nondet_uint();
    if (k > 2 || up > 2)
        return 0;
    const place *p = all[k];
    const place *(*step)(const place *) = parent;
    for (unsigned i = 0; i <= up && p != NULL; i++)
        p = step(p);
    return p == NULL;
}
