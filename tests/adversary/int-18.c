// CAT: int
// TRUTH: unsafe
// ARGS:
// WHY: 0x80000000 is an unsigned literal, so its negation is itself and the comparison with an int is unsigned.
#include "v.h"

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x >= -2147483648 && x < -0x80000000 && x + 0LL < 0x80000000 && x > 1000) {
    reach_error();
  }
  return 0;
}
