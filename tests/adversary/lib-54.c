// CAT: lib
// TRUTH: unsafe
// ARGS:
// WHY: a number that is too large for a long double sets the variable for errors.
#include "v.h"
#include <errno.h>
#include <stdlib.h>

int main(void) {
  errno = 0;
  long double large = strtold("1e9999", 0);
  assert(errno == 0 && large == large);
  return 0;
}
