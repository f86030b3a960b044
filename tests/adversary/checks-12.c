// CAT: checks
// CAT: checks
// TRUTH: safe
// ARGS: --property no-overflow
// NATIVE: skip
// WHY: arithmetic of char and short is done in int, and the conversion back is no overflow
#include "v.h"

int main(void) {
  signed char c = (signed char)__VERIFIER_nondet_char();
  short s = __VERIFIER_nondet_short();
  c++;
  c = -c;
  c *= c;
  c += 127;
  c *= 2;
  s = -s;
  s--;
  s *= s;
  s += s;
  unsigned u = __VERIFIER_nondet_uint();
  u = -u * 3 - 1;
  return c + s + (u > 7);
}
