// CAT: ub
// TRUTH: safe
// ARGS: -- -O2
// WHY: an endless loop with a constant condition may not be assumed to end (C11 6.8.5), so nothing follows it.
#include "v.h"

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x > 2) {
    while (1)
      ;
    reach_error();
  }
  assert(x < 3);
  return 0;
}
