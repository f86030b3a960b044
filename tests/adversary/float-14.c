// CAT: float
// TRUTH: safe
// ARGS:
// WHY: NaN and every subnormal are true as conditions and as _Bool, whatever they are as int.
#include "v.h"
#include <math.h>

int main(void) {
  double x = __VERIFIER_nondet_double();
  _Bool b = x;
  if (x != x) {
    assert(x ? 1 : 0);
    assert(b);
    assert(!!x);
    assert(!(x > 0) && !(x <= 0) && x != 0);
  } else if (!x) {
    assert(!b);
    assert(x == 0 && fabs(x) * 2 == x);
  } else {
    assert(b && (x < 0 || x > 0));
  }
  return 0;
}
