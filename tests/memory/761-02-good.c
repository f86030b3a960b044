// CAT: 761
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: The base of the reader is freed.
#include <stdlib.h>
#include <string.h>
#include "v.h"

struct reader { unsigned char *base, *cursor, *end; };

static int open_reader(struct reader *r, unsigned n)
{
    r->base = r->cursor = malloc(n);
    if (!r->base)
        return 0;
    r->end = r->base + n;
    memset(r->base, 1, n);
    return 1;
}

static int next(struct reader *r)
{
    return r->cursor < r->end ? *r->cursor++ : -1;
}

static void close_reader(struct reader *r)
{
    free(r->base);
    r->base = r->cursor = r->end = NULL;
}

int main(void)
{
    struct reader r;
    int sum = 0, reads = __VERIFIER_nondet_int();
    if (reads < 0 || reads > 6 || !open_reader(&r, 4))
        return 0;
    while (reads-- > 0)
        sum += next(&r);
    close_reader(&r);
    return sum;
}
