// CAT: float
// TRUTH: unsafe
// ARGS:
// WHY: An unsigned long converted to float by way of double is rounded twice.
// WITNESS: 0x1000001000000001
#include "v.h"

int main(void) {
  unsigned long u = __VERIFIER_nondet_ulong();
  float direct = u;
  float twice = (double)u;
  if (direct != twice) {
    reach_error();
  }
  return 0;
}
