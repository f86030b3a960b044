// CAT: float
// TRUTH: unsafe
// ARGS:
// WHY: Halving loses the last bit of the smallest subnormal, so doubling does not bring it back.
// WITNESS: 0x1
#include "v.h"

int main(void) {
  double x = __VERIFIER_nondet_double();
  double h = x / 2;
  if (x > 0 && h * 2 != x) {
    if (h == 0) {
      reach_error();
    }
  }
  return 0;
}
