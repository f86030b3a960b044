// CAT: ub
// TRUTH: unsafe
// ARGS:
// WHY: converting a double that does not fit is undefined; the machine gives INT_MIN, also for large positive ones.
#include "v.h"

int main(void) {
  double d = __VERIFIER_nondet_double();
  int i = (int)d;
  if (d > 1.0 && i < 0)
    reach_error();
  return 0;
}
