// CAT: ptr
// TRUTH: ub
// ARGS: -- -O2
// WHY: both restrict pointers are to the same object: the optimised program returns the value before the second store
#include "v.h"

__attribute__((noinline)) static int store(int *restrict p, int *restrict q) {
  *p = 1;
  *q = 2;
  return *p;
}

int main(void) {
  int a[2] = {0, 0};
  unsigned i = __VERIFIER_nondet_uchar() & 1;
  int r = store(&a[0], &a[i]);
  assert(r == a[0]);
  return 0;
}
