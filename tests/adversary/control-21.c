// CAT: control
// TRUTH: ub
// ARGS:
// WHY: what the compiler takes for unreachable is reached, and nothing lies behind it
#include "v.h"
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n > 5)
    __builtin_unreachable();
  if (n > 5)
    reach_error();
  return 0;
}
