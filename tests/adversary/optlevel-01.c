// CAT: optlevel
// TRUTH: safe
// ARGS: -- -O2
// WHY: The sum of a counting loop becomes a closed formula in an odd integer width, exact also where the result wraps.
#include "v.h"

int main(void) {
  unsigned int n = __VERIFIER_nondet_uint();
  unsigned int s = 0;
  for (unsigned int i = 0; i < n; i++) {
    s += i;
  }
  unsigned long wide = n;
  unsigned long twice = n == 0 ? 0 : wide * (wide - 1);
  assert(s == (unsigned int)(twice / 2));
  return 0;
}
