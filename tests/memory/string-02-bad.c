// CAT: string
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 17
// WITNESS: 1
// WHY: strcpy puts a greeting with its final zero into a block for the name alone.
#include <stdlib.h>
#include <string.h>
#include "v.h"

static char *greet(const char *greeting, const char *name)
{
    size_t g = strlen(greeting);
    char *out = malloc(strlen(name) + 4);
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
