// CAT: float
// TRUTH: safe
// ARGS:
// WHY: Unary minus and copysign act on the sign bit alone, so they work for NaN and zero as well.
#include "v.h"
#include <math.h>

int main(void) {
  double x = __VERIFIER_nondet_double();
  if (!signbit(-x) == !signbit(x)) {
    reach_error();
  }
  if (!signbit(copysign(x, -1.0)) || signbit(fabs(x))) {
    reach_error();
  }
  return 0;
}
