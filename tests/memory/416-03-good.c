// CAT: 416
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: Deleting the current user clears the global pointer.
#include <stdlib.h>
#include "v.h"

struct user { int id; int logins; };

static struct user *users[3];
static struct user *current;

static void delete_user(unsigned i)
{
    if (current == users[i])
        current = NULL;
    free(users[i]);
    users[i] = NULL;
}

int main(void)
{
    unsigned who, gone;
    for (unsigned i = 0; i < 3; i++) {
        users[i] = calloc(1, sizeof(struct user));
        if (users[i])
            users[i]->id = (int)i;
    }
    who = __VERIFIER_nondet_uint() % 3;
    gone = __VERIFIER_nondet_uint() % 3;
    current = users[who];
    delete_user(gone);
    if (current)
        current->logins++;
    for (unsigned i = 0; i < 3; i++)
        free(users[i]);
    return 0;
}
