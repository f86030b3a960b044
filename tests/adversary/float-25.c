// CAT: float
// TRUTH: unsafe
// ARGS:
// WHY: floor is the program's own, though clang writes an intrinsic for it.
#include "v.h"

double floor(double x) { return x > 100 ? 7 : x; }

int main(void) {
  double x = __VERIFIER_nondet_int();
  if (x > 200 && floor(x) < 100)
    reach_error();
  return 0;
}
