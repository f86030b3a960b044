// CAT: ub
// TRUTH: unsafe
// ARGS: -- -O2 -fwrapv
// WHY: with -fwrapv the overflow is defined and wraps, and the compiler must keep the test.
#include "v.h"

__attribute__((noinline)) static int next_is_larger(int x) { return x + 1 > x; }

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (!next_is_larger(x))
    reach_error();
  return 0;
}
