// CAT: int
// TRUTH: ub
// ARGS:
// WHY: Both unsigned short operands become int, so the product of two large ones overflows a signed type.
#include "v.h"

int main(void) {
  unsigned short a = __VERIFIER_nondet_ushort();
  unsigned short b = __VERIFIER_nondet_ushort();
  if (a < 50000 || b < 50000) {
    return 0;
  }
  if (a * b < 0) {
    reach_error();
  }
  return 0;
}
