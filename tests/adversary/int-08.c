// CAT: int
// TRUTH: unsafe
// ARGS:
// WHY: The same comparison with 64-bit long: u converts to a signed long and is greater than -1 always.
#include "v.h"

int main(void) {
  unsigned int u = __VERIFIER_nondet_uint();
  long l = __VERIFIER_nondet_int();
  __VERIFIER_assume(l < 0);
  if (u > l && u > -1L && !(u > (int)-1)) {
    reach_error();
  }
  return 0;
}
