// CAT: ub
// TRUTH: ub
// ARGS:
// WHY: __builtin_clz(0) has no defined result, so it need not lie between 0 and 31.
#include "v.h"

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  int zeros = __builtin_clz(x);
  if (zeros < 0 || zeros > 31)
    reach_error();
  if (x == 0 && zeros != 32)
    reach_error();
  return 0;
}
