// CAT: float
// TRUTH: ub
// ARGS:
// WHY: The conversion of a double that int cannot hold is undefined; x86 gives INT_MIN, others saturate.
#include "v.h"

int main(void) {
  double x = __VERIFIER_nondet_double();
  if (x >= 2147483648.0) {
    int i = (int)x;
    if (i < 0) {
      reach_error();
    }
  }
  return 0;
}
