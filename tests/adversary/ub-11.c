// CAT: ub
// TRUTH: unsafe
// ARGS: -- -O2
// WHY: with type-based aliasing the optimiser returns the 1 it stored, although the memory now holds 0.0f.
#include "v.h"

__attribute__((noinline)) static int store_both(int *i, float *f) {
  *i = 1;
  *f = 0.0f;
  return *i;
}

int main(void) {
  union {
    int i;
    float f;
  } u;
  int r = store_both(&u.i, &u.f);
  if (r != u.i)
    reach_error();
  return 0;
}
