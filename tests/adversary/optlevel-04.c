// CAT: optlevel
// TRUTH: unsafe
// ARGS: -- -O2
// WHY: The absolute value written with an unsigned negation becomes llvm.abs with a defined, negative result for INT_MIN.
// WITNESS: 0x80000000
#include "v.h"

static int magnitude(int x) {
  return x < 0 ? (int)(0u - (unsigned int)x) : x;
}

int main(void) {
  int m = magnitude(__VERIFIER_nondet_int());
  if (m < 0) {
    reach_error();
  }
  return 0;
}
