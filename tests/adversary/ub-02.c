// CAT: ub
// TRUTH: safe
// ARGS:
// WHY: the masked rotate has no shift by 32, not even for the count 0, because -n is taken modulo 32.
#include "v.h"

static unsigned rotate_left(unsigned x, unsigned n) {
  n &= 31;
  return (x << n) | (x >> (-n & 31));
}

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  unsigned n = __VERIFIER_nondet_uint();
  assert(rotate_left(x, 0) == x);
  assert(rotate_left(x, 32) == x);
  assert(rotate_left(rotate_left(x, n), -n) == x);
  return 0;
}
