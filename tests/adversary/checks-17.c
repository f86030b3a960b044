// CAT: checks
// CAT: checks
// TRUTH: safe
// ARGS: --property all
// NATIVE: skip
// WHY: shifts and conversions at the very limits: the tests before them are exactly strong enough
#include "v.h"

int main(void) {
  float f = __VERIFIER_nondet_float();
  double d = __VERIFIER_nondet_double();
  int n = __VERIFIER_nondet_int();
  long r = 0;
  if (f >= -2147483648.0f && f < 2147483648.0f)
    r += (int)f;
  if (d > -1.0 && d < 256.0)
    r += (unsigned char)d;
  r += n >> 31;
  r += (long)(1u << (n & 31));
  r += -(long)n;
  if (n >= 0 && n < 0x40000000)
    r += n << 1;
  return r == 12345;
}
