// CAT: env
// TRUTH: unsafe
// ARGS:
// WHY: sqrt of a negative number sets errno and gives a NaN, which differs from itself.
#include "v.h"
#include <errno.h>
#include <math.h>

int main(void) {
  double x = __VERIFIER_nondet_double();
  __VERIFIER_assume(x == x);
  errno = 0;
  double r = sqrt(x);
  if (errno != 0 && r != r)
    reach_error();
  return 0;
}
