// CAT: float
// TRUTH: unsafe
// ARGS:
// WHY: a product of complex numbers whose parts overflow is infinite, even where a part is no number
#include "v.h"
#include <complex.h>
#include <math.h>

int main(void) {
  volatile double nan = NAN, large = 1e300;
  double complex a = __builtin_complex((double)nan, (double)large), b = __builtin_complex((double)large, (double)large);
  double complex product = a * b;
  if (isinf(creal(product)) || isinf(cimag(product)))
    reach_error();
  return 0;
}
