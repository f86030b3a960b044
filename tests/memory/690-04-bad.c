// CAT: 690
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 22
// WITNESS: 2 1
// WHY: The parent of the root is null, and the way up two levels does not look for it.
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
    for (unsigned i = 0; i <= up; i++)
        p = step(p);
    return p == NULL;
}
