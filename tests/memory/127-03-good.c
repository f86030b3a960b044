// CAT: 127
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: The position before the head is wrapped too.
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
    int at = (ring.head + SIZE - 1) % SIZE;
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
