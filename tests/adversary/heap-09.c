// CAT: heap
// TRUTH: unsafe
// ARGS:
// WHY: the address of a freed object may be used again for the next one
#include "v.h"
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  unsigned n = __VERIFIER_nondet_uchar() % 64 + 1;
  unsigned m = __VERIFIER_nondet_uchar() % 64 + 1;
  void *p = malloc(n);
  uintptr_t before = (uintptr_t)p;
  free(p);
  void *q = malloc(m);
  uintptr_t after = (uintptr_t)q;
  if (q && before == after && n != m)
    reach_error();
  free(q);
  return 0;
}
