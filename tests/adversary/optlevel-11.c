// CAT: optlevel
// TRUTH: ub
// ARGS: -- -O2
// WHY: An int is written through a pointer to float storage: the optimiser assumes that this cannot be and returns the old float.
#include "v.h"

static __attribute__((noinline)) float store(float *f, unsigned int *u, unsigned int v) {
  *f = 1.0f;
  *u = v;
  return *f;
}

int main(void) {
  float f;
  unsigned int v = __VERIFIER_nondet_uchar();
  v |= 0x40000000;
  if (store(&f, (unsigned int *)&f, v) == 1.0f) {
    reach_error();
  }
  return 0;
}
