// CAT: checks
// CAT: checks
// TRUTH: safe
// ARGS: --property null
// NATIVE: skip
// WHY: whether the pointer is null is known only from arithmetic on the result of a comparison
#include "v.h"

int main(void) {
  int x = 4;
  int n = __VERIFIER_nondet_int();
  int *p = n % 3 == 1 ? 0 : &x;
  int weight = (p != 0) * 8 + (n > 100) * 4 + (n < -100) * 4;
  if (weight > 7)
    x += *p;
  if ((n & 0xff) == 6 && n >= 0 && n < 256)
    x += *p;
  return x;
}
