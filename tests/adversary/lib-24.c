// CAT: lib
// TRUTH: unsafe
// ARGS:
// WHY: a variable of the program is not the one of the library that has a name like it.
#include "v.h"
#include <errno.h>
#include <math.h>

int errno_value = 1;

int main(void) {
  errno = 0;
  double root = sqrt(-1.0 - (__VERIFIER_nondet_int() & 7));
  assert(root == root || errno == 0);
  return 0;
}
