// CAT: checks
// TRUTH: safe
// ARGS: --property all
// WHY: what is shifted is unsigned, fits into an int behind the shift, or is shifted to the right.
#include "v.h"

int main(void) {
  unsigned char high = __VERIFIER_nondet_uchar();
  unsigned short half = __VERIFIER_nondet_ushort();
  int count = __VERIFIER_nondet_int(), any = __VERIFIER_nondet_int();
  __VERIFIER_assume(count >= 0 && count < 31);
  unsigned int word = (unsigned int)high << 24;
  int wide = half << 15, bit = 1 << count;
  short narrow = half;
  narrow = (short)(half << 1);
  return any >> count == wide % bit + narrow % 5 && word > 3;
}
