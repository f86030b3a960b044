// CAT: structval
// TRUTH: safe
// ARGS:
// WHY: Complex numbers: the cast to a real type drops the imaginary part, the conversion to _Bool does not.
#include "v.h"
#include <complex.h>

static double complex turn(double complex z) {
  return z * I;
}

int main(void) {
  double a = __VERIFIER_nondet_char();
  double b = __VERIFIER_nondet_char();
  double complex z = a + b * I;
  double complex w = turn(turn(z));
  assert(w == -z);
  assert((double)turn(z) == -b);
  _Bool nonzero = b * I;
  assert(nonzero == (b != 0));
  assert(creal(z * conj(z)) == a * a + b * b && cimag(z * conj(z)) == 0);
  __imag__ z = 3;
  assert(__real__ z == a && z == a + 3.0 * I);
  return 0;
}
