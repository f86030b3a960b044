// CAT: heap
// TRUTH: unsafe
// ARGS:
// WHY: results of malloc are aligned by 16 but not by 32, even where each object is 32 bytes or more
#include "v.h"
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  unsigned n = __VERIFIER_nondet_uchar();
  void *p = malloc(32 + n % 64);
  void *q = malloc(32);
  if (p && q && (((uintptr_t)p | (uintptr_t)q) & 31) != 0)
    reach_error();
  free(p);
  free(q);
  return 0;
}
