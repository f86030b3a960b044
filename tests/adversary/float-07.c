// CAT: float
// TRUTH: safe
// ARGS:
// WHY: With gradual underflow the difference of two different finite floats is never zero.
#include "v.h"
#include <math.h>

int main(void) {
  float x = __VERIFIER_nondet_float();
  float y = __VERIFIER_nondet_float();
  if (isfinite(x) && isfinite(y) && x != y) {
    float d = x - y;
    assert(d != 0);
    assert((d > 0) == (x > y));
  }
  return 0;
}
