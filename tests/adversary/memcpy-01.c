// CAT: memcpy
// TRUTH: unsafe
// ARGS:
// WHY: Only the upper half of a double is overwritten, which alone decides sign, exponent and leading digits.
// WITNESS: 0x3ff8
#include "v.h"
#include <string.h>

int main(void) {
  double d = 1.0;
  unsigned int half = __VERIFIER_nondet_ushort();
  half <<= 16;
  memcpy((char *)&d + 4, &half, 4);
  if (d == 1.5) {
    reach_error();
  }
  return 0;
}
