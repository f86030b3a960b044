// CAT: int
// TRUTH: safe
// ARGS: -- -m32
// WHY: With 32-bit long an unsigned int does not fit, so -1L becomes the largest unsigned long and nothing exceeds it.
#include "v.h"

int main(void) {
  unsigned int u = __VERIFIER_nondet_uint();
  if (u > -1L) {
    reach_error();
  }
  return 0;
}
