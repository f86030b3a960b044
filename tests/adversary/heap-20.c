// CAT: heap
// TRUTH: unsafe
// ARGS:
// WHY: malloc of a huge size fails: there is no object of more than half of the address space
#include "v.h"
#include <stdlib.h>

int main(void) {
  unsigned long n = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(n != 0);
  char *p = malloc(n);
  if (p == 0)
    reach_error();
  free(p);
  return 0;
}
