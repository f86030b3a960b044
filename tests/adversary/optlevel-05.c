// CAT: optlevel
// TRUTH: safe
// ARGS: -- -O3
// WHY: Saturating addition and subtraction, written with comparisons, never wrap and cancel only without saturation.
#include "v.h"

static unsigned char add_sat(unsigned char a, unsigned char b) {
  unsigned char r = a + b;
  return r < a ? 255 : r;
}

static unsigned char sub_sat(unsigned char a, unsigned char b) {
  return a > b ? a - b : 0;
}

int main(void) {
  unsigned char a = __VERIFIER_nondet_uchar();
  unsigned char b = __VERIFIER_nondet_uchar();
  unsigned char s = add_sat(a, b);
  unsigned char d = sub_sat(s, b);
  assert(s >= a && s >= b);
  assert(d <= a);
  assert((d == a) == (a + b <= 255));
  assert(add_sat(sub_sat(a, b), b) == (a > b ? a : b));
  return 0;
}
