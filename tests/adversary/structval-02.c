// CAT: structval
// TRUTH: unsafe
// ARGS:
// WHY: An unsigned bit-field narrower than int promotes to int, one of 32 bits stays unsigned.
#include "v.h"

struct widths {
  unsigned int small : 31;
  unsigned int full : 32;
};

int main(void) {
  struct widths w;
  w.small = __VERIFIER_nondet_uchar();
  w.full = w.small;
  if (w.small - 256 < 0 && w.full - 256 > 0) {
    reach_error();
  }
  return 0;
}
