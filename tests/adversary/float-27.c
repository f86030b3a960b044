// CAT: float
// TRUTH: unsafe
// ARGS:
// WHY: a product with a power of two is not exact below the normal numbers.
#include "v.h"
#include <math.h>

int main(void) {
  double x = __VERIFIER_nondet_double();
  if (x > 1 && x < 2 && ldexp(ldexp(x, -1040), 1040) != x)
    reach_error();
  return 0;
}
