// CAT: optlevel
// TRUTH: unsafe
// ARGS: -- -O2 -fno-strict-aliasing
// WHY: Writing an int through a pointer to float storage is allowed with this flag, so the float is seen to change.
#include "v.h"

static float store(float *f, unsigned int *u, unsigned int v) {
  *f = 1.0f;
  *u = v;
  return *f;
}

int main(void) {
  float f;
  unsigned int v = __VERIFIER_nondet_uchar();
  v |= 0x40000000;
  if (store(&f, (unsigned int *)&f, v) >= 2.0f) {
    reach_error();
  }
  return 0;
}
