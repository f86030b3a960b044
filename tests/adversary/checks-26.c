// CAT: checks
// TRUTH: unsafe
// ARGS: --property no-overflow
// WHY: a product of two numbers of 32 bits without sign need not fit into a long.
#include "v.h"

int main(void) {
  unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
  long product = (long)a * (long)b;
  return product > 0;
}
