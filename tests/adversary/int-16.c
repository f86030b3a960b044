// CAT: int
// TRUTH: unsafe
// ARGS:
// WHY: popcount takes an unsigned int, so a negative char is sign-extended to 32 bits and has more than 8 ones.
#include "v.h"

int main(void) {
  signed char c = __VERIFIER_nondet_char();
  int ones = __builtin_popcount(c);
  int same = __builtin_popcount((unsigned char)c);
  if (ones == same + 24) {
    if (__builtin_clz(c) == 0 && __builtin_clrsb(c) >= 24 && __builtin_ffs(c) == 8) {
      reach_error();
    }
  }
  return 0;
}
