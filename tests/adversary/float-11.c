// CAT: float
// TRUTH: safe
// ARGS:
// WHY: rint rounds ties to even, round rounds them away from zero, and adding 0.5 before floor is a third thing.
#include "v.h"
#include <math.h>

int main(void) {
  int k = __VERIFIER_nondet_char();
  double tie = k + 0.5;
  assert(((long)rint(tie)) % 2 == 0);
  assert(round(tie) == (k >= 0 ? k + 1 : k));
  assert(floor(tie + 0.5) == k + 1);
  assert(lrint(tie) == (long)nearbyint(tie));
  assert(round(0.49999999999999994) == 0.0);
  assert(floor(0.49999999999999994 + 0.5) == 1.0);
  return 0;
}
