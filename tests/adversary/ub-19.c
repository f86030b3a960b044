// CAT: ub
// TRUTH: ub
// ARGS:
// WHY: the divisor is not 0, but INT_MIN % -1 traps on this machine and is undefined.
#include "v.h"

int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = __VERIFIER_nondet_int();
  if (b == 0)
    return 0;
  int r = a % b;
  if (b == -1 || b == 1)
    assert(r == 0);
  if (a < -2147483647 && b == -1)
    reach_error();
  return 0;
}
