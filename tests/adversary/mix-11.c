// CAT: mix
// TRUTH: unsafe
// ARGS:
// WITNESS: 8 16
// WHY: adding a half and shifting rounds halves upwards, so the product of -a and b is not always minus that of a and b.
#include "v.h"

#define SHIFT 8

typedef int fixed;

static fixed multiply(fixed a, fixed b) {
  int product = a * b;
  return (product + (1 << (SHIFT - 1))) >> SHIFT;
}

static fixed absolute(fixed a) { return a < 0 ? -a : a; }

int main(void) {
  fixed a = __VERIFIER_nondet_char();
  fixed b = __VERIFIER_nondet_char();
  fixed p = multiply(a, b);
  assert(p == multiply(b, a));
  int error = p * (1 << SHIFT) - a * b;
  assert(absolute(error) <= 1 << (SHIFT - 1));
  if (absolute(a) != 0 && multiply(-a, b) != -p)
    reach_error();
  return 0;
}
