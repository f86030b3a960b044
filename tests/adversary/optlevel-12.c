// CAT: optlevel
// TRUTH: unsafe
// ARGS: -- -O2
// WHY: Adding a positive zero is no identity for floating point: it turns -0.0 into 0.0, subtracting it does not.
#include "v.h"
#include <math.h>

int main(void) {
  double x = __VERIFIER_nondet_double();
  double a = x + 0.0;
  double b = x - 0.0;
  if (!signbit(a) && signbit(b) && a == b) {
    reach_error();
  }
  return 0;
}
