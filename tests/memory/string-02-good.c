// CAT: string
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: The block has room for the greeting, the name and the final zero.
#include <stdlib.h>
#include <string.h>
#include "v.h"

static char *greet(const char *greeting, const char *name)
{
    size_t g = strlen(greeting);
    char *out = malloc(g + strlen(name) + 1);
    if (out) {
        memcpy(out, greeting, g);
        strcpy(out + g, name);
    }
    return out;
}

int main(void)
{
    const char *greeting = "hi ";
    if (__VERIFIER_nondet_bool())
        greeting = "hey ";
    char *out = greet(greeting, "ann");
    int c = out ? out[0] : 0;
    free(out);
    return c;
}
