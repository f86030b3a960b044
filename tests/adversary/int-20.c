// CAT: int
// TRUTH: unsafe
// ARGS:
// WHY: A compound assignment computes in the common type: the division is unsigned although the target is int.
#include "v.h"

int main(void) {
  int x = __VERIFIER_nondet_int();
  unsigned int two = 2;
  signed char c = -1;
  __VERIFIER_assume(x < 0);
  x /= two;
  c >>= two;
  c += 255u;
  if (x > 0 && c == -2) {
    reach_error();
  }
  return 0;
}
