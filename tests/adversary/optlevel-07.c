// CAT: optlevel
// TRUTH: safe
// ARGS: -- -O2
// WHY: The rotation by a masked negated amount becomes a funnel shift, also for amounts of zero and above the width.
#include "v.h"

static unsigned int rotate(unsigned int x, unsigned int n) {
  return x << (n & 31) | x >> (-n & 31);
}

int main(void) {
  unsigned int x = __VERIFIER_nondet_uint();
  unsigned int n = __VERIFIER_nondet_uint();
  unsigned int r = rotate(x, n);
  assert(rotate(r, 0u - n) == x);
  assert(__builtin_popcount(r) == __builtin_popcount(x));
  assert(n % 32 != 0 || r == x);
  assert(rotate(0x80000001u, n) != 0x80000003u);
  return 0;
}
