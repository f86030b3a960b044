// CAT: 122
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: The block holds the header and the text.
#include <stdlib.h>
#include <string.h>
#include "v.h"

struct message {
    unsigned size;
    unsigned kind;
    char text[];
};

static struct message *compose(unsigned size)
{
    size_t bytes = sizeof(struct message) + size;
    struct message *m = malloc(bytes);
    if (!m)
        return 0;
    m->size = size;
    m->kind = 1;
    memset(m->text, '-', m->size);
    return m;
}

int main(void)
{
    unsigned char size = __VERIFIER_nondet_uchar();
    if (size > 10)
        return 0;
    struct message *m = compose(size);
    free(m);
    return 0;
}
