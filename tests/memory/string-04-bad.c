// CAT: string
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 15
// WITNESS: 97 98 99
// WHY: Three characters without a comma fill the buffer, and the search for the comma runs on.
#include <stdlib.h>
#include "v.h"

struct field { char *start; unsigned length; };

static unsigned until(const char *p, char stop)
{
    const char *q = p;
    while (*q != stop)
        q++;
    return (unsigned)(q - p);
}

int main(void)
{
    struct field f = { NULL, 0 };
    f.start = malloc(4);
    if (!f.start)
        return 1;
    for (int i = 0; i < 3; i++)
        f.start[i] = (char)(__VERIFIER_nondet_uchar() & 0x7f);
    f.start[3] = '\0';
    f.length = until(f.start, ',');
    int r = f.length == 3;
    free(f.start);
    return r;
}
