// CAT: ptr
// TRUTH: ub
// ARGS:
// WHY: p + -k with an unsigned k does not go back by k elements but forward by 2^32 - k ones
#include "v.h"

int main(void) {
  int a[4] = {0, 1, 2, 3};
  unsigned k = __VERIFIER_nondet_uint() % 4;
  int *p = a + 3;
  assert(*(p + -k) == 3 - (int)k);
  return 0;
}
