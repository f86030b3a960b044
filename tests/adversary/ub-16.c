// CAT: ub
// TRUTH: ub
// ARGS: -- -O2
// WHY: at -O2 the test for overflow is folded away, because a signed overflow is undefined.
#include "v.h"

__attribute__((noinline)) static int next_is_larger(int x) { return x + 1 > x; }

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (!next_is_larger(x))
    reach_error();
  return 0;
}
