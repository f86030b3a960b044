// CAT: float
// TRUTH: unsafe
// ARGS: -- -mdaz-ftz
// WHY: The flag links a start-up object that makes the machine flush subnormals to zero; the program text does not show it.
// WITNESS: 0x00000003 0x00000002
#include "v.h"

int main(void) {
  float x = __VERIFIER_nondet_float();
  float y = __VERIFIER_nondet_float();
  volatile float d = x - y;
  if (x > 0 && y > 0 && d == 0) {
    reach_error();
  }
  float big = 0x1.8p-126f;
  float small = 0x1p-126f;
  volatile float e = big;
  e = e - small;
  if (e == 0) {
    reach_error();
  }
  return 0;
}
