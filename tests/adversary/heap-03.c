// CAT: heap
// TRUTH: safe
// ARGS:
// WHY: calloc fails if the product overflows, it does not allocate the wrapped size
#include "v.h"
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  size_t n = __VERIFIER_nondet_ulong();
  if (n * 16 > 64)
    return 0;
  char *p = calloc(n, 16);
  if (p)
    assert(n <= 4);
  free(p);
  return 0;
}
