// CAT: buffer
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: The slice keeps an offset and is resolved when it is used.
#include <stdlib.h>
#include <string.h>
#include "v.h"

static struct buffer { char *base; size_t room; } buf;

struct slice { size_t first; };

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
    s.first = at;
    if (more > 0 && more < 4)
        reserve(buf.room + (size_t)more);
    int c = buf.base[s.first];
    free(buf.base);
    return c;
}
