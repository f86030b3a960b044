// CAT: float
// TRUTH: unsafe
// ARGS:
// WHY: Above 2^53 a double does not change by adding one, and still is finite.
// WITNESS: 0x4340000000000000
#include "v.h"

int main(void) {
  double x = __VERIFIER_nondet_double();
  if (x > 0 && x <= 0x1p53 + 1.0 && x + 1 == x) {
    reach_error();
  }
  return 0;
}
