// CAT: 416
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 29
// WITNESS: 1
// WHY: A string that lies in a freed scratch block is compared after the block is gone.
#include <stdlib.h>
#include <string.h>
#include "v.h"

struct scratch { char *memory; const char *first; };

static void reset(struct scratch *s)
{
    free(s->memory);
    s->memory = NULL;
}

int main(void)
{
    struct scratch s;
    int same = 0;
    s.memory = malloc(8);
    if (!s.memory)
        return 1;
    memcpy(s.memory, "on\0off", 7);
    s.first = __VERIFIER_nondet_bool() ? s.memory + 3 : "off";
    reset(&s);
    same = strcmp(s.first, "off") == 0;
    return same;
}
