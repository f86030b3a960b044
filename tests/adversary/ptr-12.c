// CAT: ptr
// TRUTH: safe
// ARGS:
// WHY: copying a struct which points into itself leaves the copy pointing into the original
#include "v.h"
#include <string.h>

struct self {
  int value;
  int *mine;
  struct self *me;
};

int main(void) {
  struct self a, b, c;
  int x = __VERIFIER_nondet_int();
  a.value = x;
  a.mine = &a.value;
  a.me = &a;
  b = a;
  memcpy(&c, &b, sizeof c);
  c.me->value ^= 1;
  assert(b.value == x && c.value == x);
  assert(*b.mine == (x ^ 1));
  c.me = &b;
  *c.me->me->mine = 5;
  assert(a.value == 5 && b.value == x && c.value == x);
  return 0;
}
