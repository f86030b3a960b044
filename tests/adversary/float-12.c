// CAT: float
// TRUTH: safe
// ARGS:
// WHY: a*b-c is compiled to llvm.fmuladd, which this target does not fuse: the rounded products cancel.
#include "v.h"
#include <math.h>

int main(void) {
  int k = __VERIFIER_nondet_int();
  double x = 1.0 + k * 0x1p-40;
  double p = x * x;
  double r = x * x - p;
  if (r != 0) {
    reach_error();
  }
  return 0;
}
