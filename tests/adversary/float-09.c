// CAT: float
// TRUTH: safe
// ARGS:
// WHY: The quotient in remainder() is rounded to nearest, ties to even, so the remainder of odd numbers by 2 alternates in sign.
#include "v.h"
#include <math.h>

int main(void) {
  unsigned char k = __VERIFIER_nondet_uchar();
  double r = remainder(k, 2.0);
  if (k % 4 == 1) {
    assert(r == 1.0);
  } else if (k % 4 == 3) {
    assert(r == -1.0);
  } else {
    assert(r == 0.0 && !signbit(r));
  }
  assert(fmod(-(double)k, 2.0) == -(k % 2));
  assert(signbit(fmod(-(double)k, 2.0)));
  return 0;
}
