// CAT: ptr
// TRUTH: unsafe
// ARGS:
// WHY: swapping by xor destroys the value if both pointers are the same, which two different expressions can be
#include "v.h"

static void swap(unsigned *p, unsigned *q) {
  *p ^= *q;
  *q ^= *p;
  *p ^= *q;
}

int main(void) {
  unsigned a[5] = {1, 2, 3, 4, 5};
  unsigned i = __VERIFIER_nondet_uint() % 5;
  swap(&a[i], &a[4 - i]);
  if (a[0] + a[1] + a[2] + a[3] + a[4] != 15)
    reach_error();
  return 0;
}
