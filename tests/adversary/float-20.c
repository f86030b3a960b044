// CAT: float
// TRUTH: safe
// ARGS:
// WHY: Truncation towards zero makes the conversions from the open interval (-1, 256) to unsigned char defined.
#include "v.h"

int main(void) {
  double x = __VERIFIER_nondet_double();
  if (!(x > -1.0 && x < 256.0)) {
    return 0;
  }
  unsigned char c = x;
  float f = x;
  assert(x > 0 || c == 0);
  assert(c <= 255);
  assert(x < 1 || (c <= x && x - c < 1));
  assert(f >= -1.0f && f <= 256.0f);
  return 0;
}
