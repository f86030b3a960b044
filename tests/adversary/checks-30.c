// CAT: checks
// TRUTH: unsafe
// ARGS: --property all
// WHY: the least number divided by -1 has no result, also for complex numbers and in the library.
#include "v.h"
#include <limits.h>
#include <stdlib.h>

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n == 0)
    return 0;
  div_t both = div(INT_MIN, n);
  return both.rem;
}
