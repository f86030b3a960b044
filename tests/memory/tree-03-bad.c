// CAT: tree
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 34
// WITNESS: 7
// WHY: The child of a removed leaf stays in its parent, and the sum visits the freed node.
#include <stdlib.h>
#include "v.h"

struct tree { int key; struct tree *left, *right; };

static struct tree *make(int key, struct tree *left, struct tree *right)
{
    struct tree *t = malloc(sizeof *t);
    if (!t)
        return NULL;
    t->key = key;
    t->left = left;
    t->right = right;
    return t;
}

static void prune(struct tree **at, int key)
{
    if (*at && (*at)->key == key) {
        free(*at);
    }
}

static int sum(const struct tree *t)
{
    if (t == NULL)
        return 0;
    return t->key + sum(t->left) + sum(t->right);
}

int main(void)
{
    struct tree *left = make(3, NULL, NULL);
    struct tree *right = make(7, NULL, NULL);
    struct tree *root = make(5, left, right);
    if (!root) {
        free(left);
        free(right);
        return 1;
    }
    int key = __VERIFIER_nondet_int();
    prune(&root->left, key);
    prune(&root->right, key);
    int s = sum(root);
    free(root->left);
    free(root->right);
    free(root);
    return s;
}
