// CAT: float
// TRUTH: unsafe
// ARGS:
// WHY: An explicit fma is exact before its one rounding and shows the rounding error of the product.
#include "v.h"
#include <math.h>

int main(void) {
  unsigned char k = __VERIFIER_nondet_uchar();
  double x = 1.0 + k * 0x1p-30;
  double p = x * x;
  double e = fma(x, x, -p);
  if (e != 0 && fabs(e) < 0x1p-50 && e == fma(k * 0x1p-30, k * 0x1p-30, 0.0)) {
    reach_error();
  }
  return 0;
}
