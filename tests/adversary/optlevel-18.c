// CAT: optlevel
// TRUTH: unsafe
// ARGS: --clang clang-19 -- -O2
// WHY: clang 19 promotes the operands of the saturating builtin to int, so two positive chars do not saturate at 127; bit reversal and rotation do keep to 8 bits.
#include "v.h"

int main(void) {
  signed char a = __VERIFIER_nondet_char();
  signed char b = __VERIFIER_nondet_char();
  __VERIFIER_assume(a > 0 && b > 0);
  signed char s = __builtin_elementwise_add_sat(a, b);
  int wide = __builtin_elementwise_add_sat((int)a << 24, (int)b << 24) >> 24;
  unsigned char r = __builtin_bitreverse8(a);
  unsigned char t = __builtin_rotateleft8(r, 9);
  assert((t & 1) == (a & 1));
  assert(wide == 127 || wide == a + b);
  if (s < 0) {
    reach_error();
  }
  return 0;
}
