// CAT: 416
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: The comparison comes before the block is freed.
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
    same = strcmp(s.first, "off") == 0;
    reset(&s);
    return same;
}
