// CAT: ub
// TRUTH: safe
// ARGS:
// WHY: unlike clz and ctz, ffs and popcount are defined for 0, and x | 1 keeps clz away from it.
#include "v.h"

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  int width = 32 - __builtin_clz(x | 1);
  assert(width >= 1 && width <= 32);
  assert(width == 32 || x >> width == 0);
  int first = __builtin_ffs((int)x);
  assert((first == 0) == (x == 0));
  if (x != 0)
    assert(first == __builtin_ctz(x) + 1);
  assert(__builtin_popcount(0) == 0);
  assert(__builtin_popcountll(-1LL) == 64);
  return 0;
}
