// CAT: float
// TRUTH: unsafe
// ARGS:
// WHY: how the processor rounds can be set by an intrinsic.
#include "v.h"
#include <xmmintrin.h>

int main(void) {
  volatile double a = 1, b = 3;
  double nearest = a / b;
  _mm_setcsr(_mm_getcsr() | 0x4000);
  double up = a / b;
  assert(up == nearest);
  return 0;
}
