// CAT: mix
// TRUTH: safe
// ARGS:
// WHY: a division of fixed point numbers rounded to nearest, halves away from zero, for both signs.
#include "v.h"

#define ONE 16

static int fixed_from(int numerator, int denominator) {
  int scaled = numerator * ONE;
  int half = denominator / 2;
  if (scaled < 0)
    return (scaled - half) / denominator;
  return (scaled + half) / denominator;
}

static int fixed_round(int x) {
  if (x < 0)
    return -((-x + ONE / 2) / ONE);
  return (x + ONE / 2) / ONE;
}

int main(void) {
  int a = __VERIFIER_nondet_char();
  int b = 1 + __VERIFIER_nondet_uchar() % 12;
  int q = fixed_from(a, b);
  int error = q * b - a * ONE;
  if (error < 0)
    error = -error;
  assert(2 * error <= b);
  assert(fixed_from(-a, b) == -q);
  assert(fixed_round(a * ONE) == a);
  assert(fixed_round(q) - a / b <= 1);
  assert(a / b - fixed_round(q) <= 1);
  return 0;
}
