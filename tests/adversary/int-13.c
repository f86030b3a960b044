// CAT: int
// TRUTH: unsafe
// ARGS:
// WHY: The conditional operator brings both arms to unsigned int, so -1 becomes 4294967295 before it is widened.
#include "v.h"

int main(void) {
  _Bool b = __VERIFIER_nondet_bool();
  unsigned int zero = 0;
  long l = b ? -1 : zero;
  if (l > 0) {
    reach_error();
  }
  return 0;
}
