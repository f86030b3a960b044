// CAT: float
// TRUTH: unsafe
// WHY: a number without a fraction has a fraction of zero, with the number's sign.
#include "v.h"
#include <math.h>

int main(void) {
  double whole, fraction = modf(__VERIFIER_nondet_double(), &whole);
  if (whole == -1 && fraction == 0 && signbit(fraction))
    reach_error();
  return 0;
}
