// CAT: lib
// TRUTH: unsafe
// ARGS:
// WHY: a number that is too large sets the variable for errors.
#include "v.h"
#include <errno.h>
#include <stdlib.h>

int main(void) {
  errno = 0;
  double large = strtod("1e999", 0);
  assert(errno == 0 && large == large);
  return 0;
}
