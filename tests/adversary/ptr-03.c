// CAT: ptr
// TRUTH: safe
// ARGS:
// WHY: the links of an xor list are no addresses, yet walking it from either end visits the same nodes
#include "v.h"
#include <stdint.h>

struct node {
  int value;
  uintptr_t link;
};

static int walk(struct node *from, int steps) {
  uintptr_t before = 0;
  int hash = 0;
  while (from) {
    hash = hash * 10 + from->value;
    uintptr_t next = from->link ^ before;
    before = (uintptr_t)from;
    from = (struct node *)next;
    if (--steps < 0)
      return -1;
  }
  return hash;
}

int main(void) {
  struct node n[3];
  int x = __VERIFIER_nondet_uchar() % 10;
  n[0].value = 1;
  n[1].value = x;
  n[2].value = 3;
  n[0].link = (uintptr_t)&n[1];
  n[1].link = (uintptr_t)&n[0] ^ (uintptr_t)&n[2];
  n[2].link = (uintptr_t)&n[1];
  assert(walk(&n[0], 3) == 103 + 10 * x);
  assert(walk(&n[2], 3) == 301 + 10 * x);
  return 0;
}
