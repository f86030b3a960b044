// CAT: ptr
// TRUTH: safe
// ARGS:
// WHY: unsigned differences of indices wrap to huge values, but converted to int they are small negative indices
#include "v.h"

int main(void) {
  int a[4] = {0, 10, 20, 30};
  unsigned k = __VERIFIER_nondet_uint() % 4;
  int *p = a + 3;
  assert(p[-(int)k] == 30 - 10 * (int)k);
  assert(p[(int)(0u - k)] == a[3 - k]);
  assert(&p[-(int)k] == &a[3u + (0u - k)]);
  return 0;
}
