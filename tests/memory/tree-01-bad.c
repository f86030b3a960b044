// CAT: tree
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 23
// WITNESS: 1
// WHY: The walk to the smallest key begins at the left child without looking whether there is one.
#include <stdlib.h>
#include "v.h"

struct tree { int key; struct tree *left, *right; };

static struct tree *leaf(int key)
{
    struct tree *t = calloc(1, sizeof *t);
    if (t)
        t->key = key;
    return t;
}

static int smallest(const struct tree *t)
{
    t = t->left;
    while (t->left)
        t = t->left;
    return t->key;
}

int main(void)
{
    struct tree *root = leaf(5);
    if (!root)
        return 1;
    if (__VERIFIER_nondet_bool())
        root->right = leaf(8);
    else
        root->left = leaf(2);
    int key = root->left || root->right ? smallest(root) : 5;
    free(root->left);
    free(root->right);
    free(root);
    return key;
}
