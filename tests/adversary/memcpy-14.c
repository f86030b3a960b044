// CAT: memcpy
// TRUTH: ub
// ARGS: -- -O2
// WHY: A _Bool whose byte is neither 0 nor 1 is a trap representation: the optimiser reads it as an int above 1.
#include "v.h"
#include <string.h>

static __attribute__((noinline)) int value(const _Bool *b) {
  return *b;
}

int main(void) {
  _Bool b;
  unsigned char c = __VERIFIER_nondet_uchar();
  memcpy(&b, &c, 1);
  volatile int n = value(&b);
  if (n > 1) {
    reach_error();
  }
  return 0;
}
