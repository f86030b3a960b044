// CAT: fptr
// CAT: fptr
// TRUTH: ub
// ARGS:
// WHY: a function returning long is called as one returning int: x86-64 gives the low half, C gives nothing
#include "v.h"

static long big(long x) {
  return x + 0x100000000;
}

int main(void) {
  int (*f)(int) = (int (*)(int))big;
  int x = __VERIFIER_nondet_uchar();
  assert(f(x) == x + 1);
  return 0;
}
