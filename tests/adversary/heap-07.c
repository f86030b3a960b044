// CAT: heap
// TRUTH: unsafe
// ARGS:
// WHY: malloc(0) may return a pointer which is not null
#include "v.h"
#include <stdlib.h>

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  char *p = malloc(n / 8 * 8 - n + n % 8);
  if (p)
    reach_error();
  return 0;
}
