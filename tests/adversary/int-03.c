// CAT: int
// TRUTH: unsafe
// ARGS:
// WHY: -32768 / -1 is 32768 in int (no overflow, no trap), and is then narrowed to a negative short.
// WITNESS: 0x8000 0xffff
#include "v.h"

int main(void) {
  short n = __VERIFIER_nondet_short();
  short d = __VERIFIER_nondet_short();
  if (n >= 0 || d >= 0) {
    return 0;
  }
  short q = n / d;
  if (q < 0) {
    reach_error();
  }
  return 0;
}
