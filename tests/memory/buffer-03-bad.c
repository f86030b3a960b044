// CAT: buffer
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 41
// WITNESS: 0 2
// WHY: The slice keeps a pointer into the buffer, which moves when more room is reserved.
#include <stdlib.h>
#include <string.h>
#include "v.h"

static struct buffer { char *base; size_t room; } buf;

struct slice { char *first; };

static int reserve(size_t room)
{
    char *moved = malloc(room);
    if (!moved)
        return 0;
    memcpy(moved, buf.base, room < buf.room ? room : buf.room);
    free(buf.base);
    buf.base = moved;
    buf.room = room;
    return 1;
}

int main(void)
{
    struct slice s;
    unsigned at = __VERIFIER_nondet_uint();
    int more = __VERIFIER_nondet_int();
    if (at > 3)
        return 0;
    buf.base = calloc(4, 1);
    if (!buf.base)
        return 1;
    buf.room = 4;
    s.first = buf.base + at;
    if (more > 0 && more < 4)
        reserve(buf.room + (size_t)more);
    int c = *s.first;
    free(buf.base);
    return c;
}
