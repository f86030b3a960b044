// CAT: heap
// TRUTH: safe
// ARGS:
// WHY: results of malloc are aligned by 16 and those of aligned_alloc as asked, so their low bits are free for tags
#include "v.h"
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  unsigned n = __VERIFIER_nondet_uchar();
  int *p = malloc(n + sizeof(int));
  int *q = aligned_alloc(64, 128);
  if (!p || !q)
    return 0;
  uintptr_t t = (uintptr_t)p | (n & 15), u = (uintptr_t)q + (n & 63);
  *(int *)(t & ~(uintptr_t)15) = 5;
  *(int *)(u & ~(uintptr_t)63) = 6;
  assert(*p == 5 && *q == 6);
  assert((t & 15) == (n & 15) && u % 64 == n % 64);
  free(p);
  free(q);
  return 0;
}
