// CAT: checks
// CAT: checks
// TRUTH: safe
// ARGS: --property null
// NATIVE: skip
// WHY: operands of sizeof and of typeof are not evaluated, so the null pointer is never used
#include "v.h"

struct node {
  int value;
  struct node *next;
};

int main(void) {
  struct node n = {3, 0};
  struct node *p = __VERIFIER_nondet_bool() ? &n : 0;
  unsigned long size = sizeof p->next->value + sizeof(*p);
  __typeof__(p->value) copy = 5;
  if (!(p == 0 | size != 20))
    copy += p->value;
  int used = p && (copy += p->value, 1);
  return copy + used;
}
