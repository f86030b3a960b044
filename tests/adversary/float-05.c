// CAT: float
// TRUTH: safe
// ARGS:
// WHY: No float equals 0.1, which is a double; and comparing it with 0.1f is something else.
#include "v.h"

int main(void) {
  float f = __VERIFIER_nondet_float();
  if (f == 0.1) {
    reach_error();
  }
  if (f == 0.1f && f < 0.1) {
    reach_error();
  }
  return 0;
}
