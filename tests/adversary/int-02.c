// CAT: int
// TRUTH: unsafe
// ARGS:
// WHY: The left shift happens in int, so shifting back does not drop the high nibble of the byte.
#include "v.h"

int main(void) {
  unsigned char a = __VERIFIER_nondet_uchar();
  unsigned char low = a << 4 >> 4;
  if (low != (a & 15)) {
    reach_error();
  }
  return 0;
}
