// CAT: tree
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: The node for a key in the tree is freed again.
#include <stdlib.h>
#include "v.h"

typedef struct tree { struct tree *child[2]; int key; } tree;

static void insert(tree **root, int key)
{
  tree *n = malloc(sizeof *n);
  if (!n)
    return;
  n->child[0] = n->child[1] = NULL;
  n->key = key;
  while (*root) {
    if ((*root)->key == key) {
      free(n);
      return;
    }
    root = &(*root)->child[(*root)->key < key];
  }
  *root = n;
}

static void destroy(tree *t)
{
  if (!t)
    return;
  destroy(t->child[0]);
  destroy(t->child[1]);
  free(t);
}

int main(void)
{
  tree *root = NULL;
  for (int i = 0; i < 3; i++)
    insert(&root, __VERIFIER_nondet_int());
  destroy(root);
  return 0;
}
