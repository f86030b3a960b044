// CAT: checks
// TRUTH: unsafe
// ARGS: --property all
// WHY: a byte is promoted to int before it is shifted, and its upper half does not fit into the upper byte of one.
#include "v.h"

int main(void) {
  unsigned char high = __VERIFIER_nondet_uchar(), low = __VERIFIER_nondet_uchar();
  int word = high << 24 | low;
  return word > 0;
}
