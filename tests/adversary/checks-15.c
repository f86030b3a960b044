// CAT: checks
// CAT: checks
// TRUTH: unsafe
// ARGS: --property no-overflow
// NATIVE: skip
// WHY: the well known safe middle overflows nevertheless if the lower bound is negative
#include "v.h"

int main(void) {
  int lo = __VERIFIER_nondet_int();
  int hi = __VERIFIER_nondet_int();
  if (lo >= hi)
    return 0;
  int middle = lo + (hi - lo) / 2;
  return middle > 5;
}
