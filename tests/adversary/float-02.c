// CAT: float
// TRUTH: unsafe
// ARGS:
// WHY: 0 - x is not -x: the two differ in the sign of the result for a positive zero.
#include "v.h"
#include <math.h>

int main(void) {
  double x = __VERIFIER_nondet_double();
  double a = -x;
  double b = 0.0 - x;
  if (a == b && 1.0 / a != 1.0 / b) {
    reach_error();
  }
  return 0;
}
