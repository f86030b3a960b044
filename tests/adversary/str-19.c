// CAT: str
// TRUTH: unsafe
// ARGS:
// WHY: the remainder has the sign of the dividend, except that it can be zero.
#include "v.h"
#include <stdlib.h>

int main(void) {
  long a = __VERIFIER_nondet_int();
  long b = __VERIFIER_nondet_int();
  __VERIFIER_assume(b > 0 && b < 16);
  ldiv_t d = ldiv(a, b);
  assert(d.quot * b + d.rem == a);
  assert((d.rem < 0) == (a < 0));
  return 0;
}
