// CAT: 590
// TRUTH: unsafe
// PROPERTY: valid-free
// LINE: 27
// WITNESS: 0
// WHY: A name that was never replaced is still the string literal it began as, and is freed.
#include <stdlib.h>
#include <string.h>
#include "v.h"

struct station { char *name; _Bool owned; };

static char unnamed[] = "unnamed";

static void rename_to(struct station *s, const char *name)
{
    char *copy = malloc(strlen(name) + 1);
    if (!copy)
        return;
    strcpy(copy, name);
    s->name = copy;
    s->owned = 1;
}

static void dispose(struct station *s)
{
    free(s->name);
    s->name = NULL;
}

int main(void)
{
    struct station s = { unnamed, 0 };
    if (__VERIFIER_nondet_bool())
        rename_to(&s, "north");
    int n = (int)strlen(s.name);
    dispose(&s);
    return n;
}
