// CAT: memcpy
// TRUTH: safe
// ARGS:
// WHY: All the value of a long double is in its first ten bytes; the other six are padding.
#include "v.h"
#include <string.h>

int main(void) {
  long double a = __VERIFIER_nondet_ulong();
  long double b = -3;
  unsigned short top;
  a /= -4;
  memcpy(&b, &a, 10);
  assert(a == b);
  memcpy(&top, (char *)&b + 8, 2);
  assert(top & 0x8000);
  unsigned long fraction;
  memcpy(&fraction, &b, 8);
  assert(a == 0 || fraction >> 63 == 1);
  return 0;
}
