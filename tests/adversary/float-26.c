// CAT: float
// TRUTH: safe
// ARGS:
// WHY: powers of two are rounded once, down to zero; exponents and neighbours at the ends of the numbers.
#include "v.h"
#include <float.h>
#include <limits.h>
#include <math.h>

int main(void) {
  assert(ldexp(0.75, 2) == 3 && scalbn(-1.0, -1) == -0.5 && scalbln(1.0, 4L) == 16 && ldexpf(3, -2) == 0.75f);
  assert(ldexp(1.0, -1074) == 0x1p-1074 && ldexp(1.0, -1075) == 0 && ldexp(1.5, -1075) == 0x1p-1074);
  assert(ldexp(0x1.0000000000001p1023, -2097) == 0x1p-1074 && ldexp(0x1p-1074, 2097) == 0x1p1023);
  assert(ldexp(0x1.8p-1, -1073) == 0x1p-1073 && ldexp(1.0, INT_MAX) == INFINITY && ldexp(DBL_MAX, INT_MIN) == 0);
  assert(signbit(ldexp(-1.0, -3000)) && ldexp(INFINITY, -5) == INFINITY && isnan(ldexp(NAN, 1)));
  assert(ilogb(8.0) == 3 && ilogb(0x1p-1074) == -1074 && ilogb(0.0) == FP_ILOGB0 && ilogb(INFINITY) == INT_MAX);
  assert(logb(0.75) == -1 && logb(-0.0) == -INFINITY && logb(-INFINITY) == INFINITY);
  assert(nextafter(1.0, 2) == 1 + DBL_EPSILON && nextafter(0.0, -1) == -0x1p-1074 && nextafter(2.0, 2) == 2);
  assert(nextafter(-0x1p-1074, 1) == 0 && nextafter(DBL_MAX, INFINITY) == INFINITY && nextafterf(1, 0) == 1 - 0x1p-24f);
  return 0;
}
