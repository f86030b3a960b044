// CAT: optlevel
// TRUTH: safe
// ARGS: -- -O2
// WHY: A dense switch becomes a lookup table with holes; inputs outside and in the holes take the default.
#include "v.h"

static int price(int kind) {
  switch (kind) {
  case -3:
    return 17;
  case -2:
    return -5;
  case -1:
    return 1000;
  case 1:
    return 4;
  case 2:
    return 77;
  case 3:
    return -2147483647;
  case 4:
    return 8;
  default:
    return -1;
  }
}

int main(void) {
  int kind = __VERIFIER_nondet_int();
  int p = price(kind);
  assert((p == -1) == (kind < -3 || kind == 0 || kind > 4));
  assert(p != 8 || kind == 4);
  assert(p > -6 || kind == 3);
  return 0;
}
