// CAT: optlevel
// TRUTH: unsafe
// ARGS: -- -O3 -fwrapv
// WHY: With -fwrapv the sum wraps, so the comparison that the optimiser would fold away is true for INT_MAX.
// WITNESS: 0x7fffffff
#include "v.h"

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x + 1 < x) {
    reach_error();
  }
  return 0;
}
