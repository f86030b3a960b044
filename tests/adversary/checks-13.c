// CAT: checks
// CAT: checks
// TRUTH: unsafe
// ARGS: --property no-overflow
// NATIVE: skip
// WITNESS: 0x80000000 0xffffffff
// WHY: the remainder by -1 is mathematically 0, but for INT_MIN it overflows as the quotient does
#include "v.h"

int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = __VERIFIER_nondet_int();
  if (b == 0 || b > 0)
    return 0;
  return a % b == 0;
}
