// CAT: tree
// TRUTH: unsafe
// PROPERTY: valid-memtrack
// LINE: 14
// WITNESS: 3 9 3
// WHY: A key that is in the tree already gets a new node that is hung in nowhere.
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
