// CAT: 476
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 22
// WITNESS: 2 4
// WHY: A negation has no right operand, but the operand is read before the kind of the node is looked at.
#include <stddef.h>
#include "v.h"

enum kind { LEAF, ADD, NEG };

struct expr {
  enum kind kind;
  int value;
  struct expr *left, *right;
};

static int eval(const struct expr *e)
{
  if (e->kind == LEAF)
    return e->value;
  int r = e->right->value;
  return e->kind == ADD ? e->left->value + r : -e->left->value;
}

int main(void)
{
  struct expr a = { LEAF, 1, NULL, NULL }, b = { LEAF, 2, NULL, NULL };
  struct expr e = { ADD, 0, &a, &b };
  unsigned kind = __VERIFIER_nondet_uint();
  a.value = __VERIFIER_nondet_uchar();
  if (kind == 2) {
    e.kind = NEG;
    e.right = NULL;
  }
  return eval(&e) == 3;
}
