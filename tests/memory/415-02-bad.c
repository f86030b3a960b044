// CAT: 415
// TRUTH: unsafe
// PROPERTY: valid-free
// LINE: 17
// WITNESS: 1 1
// WHY: Closing a session twice frees its buffer twice, for the pointer stays set.
#include <stdlib.h>
#include "v.h"

static struct session {
    char *buffer;
    int closed;
} session;

static void on_close(void)
{
    free(session.buffer);
    session.closed++;
}

static void on_idle(void)
{
    session.closed += 0;
}

static void (*const handler[])(void) = { on_idle, on_close };

int main(void)
{
    session.buffer = malloc(16);
    if (session.buffer == NULL)
        return 1;
    for (int i = 0; i < 2; i++) {
        _Bool e = __VERIFIER_nondet_bool();
        handler[e]();
    }
    if (!session.closed)
        on_close();
    return 0;
}
