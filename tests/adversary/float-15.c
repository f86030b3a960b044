// CAT: float
// TRUTH: unsafe
// ARGS:
// WHY: fmin and fmax ignore a NaN operand, so a NaN made in between is lost and an impossible order appears.
// WITNESS: 0x7ff0000000000000 0
#include "v.h"
#include <math.h>

int main(void) {
  double x = __VERIFIER_nondet_double();
  double y = __VERIFIER_nondet_double();
  if (x != x || y != y) {
    return 0;
  }
  double lo = fmin(x - x, y);
  double hi = fmax(x * 0, y);
  if (lo > 0 || hi < 0) {
    return 0;
  }
  if (isinf(x) && lo == y && hi == y && !(x - x <= y) && !(x - x > y)) {
    reach_error();
  }
  return 0;
}
