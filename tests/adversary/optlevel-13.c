// CAT: optlevel
// TRUTH: safe
// ARGS: -- -O2
// WHY: The minimum and the maximum written with comparisons keep NaN and zero of one particular operand; they are no fmin or fmax.
#include "v.h"

static float least(float a, float b) {
  return a < b ? a : b;
}

static float most(float a, float b) {
  return a < b ? b : a;
}

int main(void) {
  float x = __VERIFIER_nondet_float();
  float y = __VERIFIER_nondet_float();
  float l = least(x, y);
  float m = most(x, y);
  if (x != x) {
    assert(l == y || y != y);
    assert(m != m);
  } else if (y != y) {
    assert(l != l);
    assert(m == x);
  } else {
    assert(l <= m);
    assert(1 / least(0.0f, -0.0f) < 0 && 1 / most(0.0f, -0.0f) > 0);
  }
  return 0;
}
