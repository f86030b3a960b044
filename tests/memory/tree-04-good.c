// CAT: tree
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: The rotation takes the node from its old parent before giving it to the new one.
#include <stdlib.h>
#include "v.h"

enum { N = 3 };

struct node { int left, right; int *load; };

static struct node nodes[N];

static void destroy(int i)
{
    if (i < 0)
        return;
    destroy(nodes[i].left);
    destroy(nodes[i].right);
    free(nodes[i].load);
}

static void rotate(int top, int side)
{
    nodes[side].right = nodes[top].right;
    nodes[top].right = -1;
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        nodes[i].left = nodes[i].right = -1;
        nodes[i].load = malloc(sizeof(int));
        if (nodes[i].load)
            *nodes[i].load = i;
    }
    nodes[0].left = 1;
    nodes[0].right = 2;
    unsigned char turn = __VERIFIER_nondet_uchar();
    if (turn > 3 && turn < 6)
        rotate(0, 1);
    destroy(0);
    return 0;
}
