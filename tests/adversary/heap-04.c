// CAT: heap
// TRUTH: unsafe
// ARGS:
// WITNESS: 0x1000000000000001
// WHY: the size given to malloc wraps, so it succeeds for a huge number of elements
#include "v.h"
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  size_t n = __VERIFIER_nondet_ulong();
  if (n * 16 == 0 || n * 16 > 64)
    return 0;
  char *p = malloc(n * 16);
  if (p && n > 4)
    reach_error();
  free(p);
  return 0;
}
