// CAT: ub
// TRUTH: ub
// ARGS:
// WHY: the null access comes before the assertion: the program crashes there, or a compiler drops the check.
#include "v.h"
#include <stddef.h>

int main(void) {
  int cell = 1;
  int *p = __VERIFIER_nondet_bool() ? &cell : NULL;
  *p = 2;
  assert(p != NULL);
  assert(cell == 2);
  return 0;
}
