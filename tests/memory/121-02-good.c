// CAT: 121
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: The length byte is compared with the size of the local copy.
#include <string.h>
#include "v.h"

struct packet {
    unsigned char length;
    unsigned char payload[16];
};

static int checksum(const struct packet *p)
{
    unsigned char copy[10] = {0};
    int sum = 0;

    if (p->length > sizeof(copy))
        return -1;
    memcpy(copy, p->payload, p->length);
    for (int i = 0; i < 10; i++)
        sum += copy[i];
    return sum;
}

int main(void)
{
    struct packet p;
    memset(&p, 3, sizeof p);
    p.length = __VERIFIER_nondet_uchar();
    return checksum(&p) == 30;
}
