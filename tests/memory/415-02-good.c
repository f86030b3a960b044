// CAT: 415
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: Closing clears the pointer, so a second close does nothing.
#include <stdlib.h>
#include "v.h"

static struct session {
    char *buffer;
    int closed;
} session;

static void on_close(void)
{
    free(session.buffer);
    session.buffer = NULL;
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
