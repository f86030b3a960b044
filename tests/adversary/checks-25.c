// CAT: checks
// TRUTH: safe
// ARGS: --property no-overflow
// WHY: a product of two ints fits into a long, whatever they are, and a sum of shorts into an int.
#include "v.h"

int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  long product = (long)a * b, square = (long)a * a;
  short s = __VERIFIER_nondet_short(), t = __VERIFIER_nondet_short();
  int sum = s + t, difference = s - t, small = s * t;
  long seconds = (long)a * 3600 - 1;
  return product == square && seconds && sum == difference && small > 0;
}
