// CAT: int
// TRUTH: safe
// ARGS:
// WHY: An unsigned _BitInt does not promote to int: the sum wraps at its own width, and so does its negation.
#include "v.h"

int main(void) {
  unsigned _BitInt(3) a = __VERIFIER_nondet_uchar() & 7;
  unsigned _BitInt(3) one = 1;
  signed _BitInt(5) s = (signed char)(__VERIFIER_nondet_uchar() % 4);
  if (a == 7) {
    assert(a + one == 0);
  } else {
    assert(a + one > a);
  }
  assert((int)(-a) == ((8 - (int)a) & 7));
  assert((int)(signed _BitInt(3))a == ((int)a ^ 4) - 4);
  assert(s - 4 < 0);
  return 0;
}
