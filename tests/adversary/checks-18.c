// CAT: checks
// CAT: checks
// TRUTH: unsafe
// ARGS: --property all
// NATIVE: skip
// WITNESS: 0x4f000000
// WHY: the largest int is no float: the bound is rounded up to 2^31, which is admitted and does not fit
#include "v.h"

int main(void) {
  float f = __VERIFIER_nondet_float();
  if (f >= -2147483648.0f && f <= 2147483647.0f)
    return (int)f;
  return 0;
}
