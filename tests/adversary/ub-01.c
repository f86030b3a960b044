// CAT: ub
// TRUTH: ub
// ARGS:
// WHY: shifting by 32 is undefined; the machine takes the count modulo 32 and gives 1, others give 0.
#include "v.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n <= 32);
  unsigned mask = (1u << n) - 1;
  if (n == 32 && mask == 0xffffffffu)
    reach_error();
  return 0;
}
