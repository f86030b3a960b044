// CAT: 127
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 27
// WITNESS: 4
// WHY: The youngest entry of a ring is at head - 1, which is -1 after the head has wrapped.
#include "v.h"

#define SIZE 4

struct ring {
    int *entry;
    int head;
};

static struct ring ring;

static void put(int v)
{
    ring.entry[ring.head] = v;
    ring.head = (ring.head + 1) % SIZE;
}

static int youngest(void)
{
    int at = ring.head - 1;
    return ring.entry[at];
}

int main(void)
{
    int room[SIZE] = {0};
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 6)
        return 0;
    ring.entry = room;
    for (int i = 0; i < n; i++)
        put(i);
    return youngest() == n - 1;
}
