// CAT: float
// TRUTH: unsafe
// ARGS:
// WHY: Rounding a negative number to zero keeps the sign: trunc, ceil and rint all give -0.0.
#include "v.h"
#include <math.h>

int main(void) {
  int k = __VERIFIER_nondet_char();
  double x = k / 256.0;
  double t = trunc(x);
  double c = ceil(x);
  double r = rint(x);
  if (x != 0 && 1 / t < 0 && 1 / c < 0 && 1 / r < 0) {
    reach_error();
  }
  return 0;
}
