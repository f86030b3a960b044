// CAT: buffer
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 20
// WITNESS: 1 3
// WHY: The bytes of a wide number are copied into a union's narrow heap block with the wide size.
#include <stdlib.h>
#include <string.h>
#include "v.h"

union number { unsigned short narrow; unsigned long wide; unsigned char raw[8]; };

struct cell { size_t size; void *data; };

static int fill(struct cell *c, const union number *n)
{
    c->data = malloc(c->size);
    if (!c->data)
        return 0;
    memcpy(c->data, n->raw, sizeof *n);
    return 1;
}

int main(void)
{
    struct cell c;
    union number n = { .wide = 0 };
    _Bool narrow = __VERIFIER_nondet_bool();
    if (narrow)
        n.narrow = __VERIFIER_nondet_uchar();
    else
        n.wide = __VERIFIER_nondet_ulong();
    c.size = narrow ? sizeof n.narrow : sizeof n.wide;
    if (!fill(&c, &n))
        return 1;
    int r = *(unsigned char *)c.data == n.raw[0];
    free(c.data);
    return !r;
}
