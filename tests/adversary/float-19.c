// CAT: float
// TRUTH: unsafe
// ARGS:
// WHY: The rounding mode is changed at run time, so the same division is done twice with two results.
#include "v.h"
#include <fenv.h>

#pragma STDC FENV_ACCESS ON

int main(void) {
  volatile double one = 1.0;
  volatile double ten = 10.0;
  double nearest = one / ten;
  if (__VERIFIER_nondet_bool()) {
    fesetround(FE_TOWARDZERO);
  }
  double q = one / ten;
  fesetround(FE_TONEAREST);
  if (q < nearest) {
    reach_error();
  }
  return 0;
}
