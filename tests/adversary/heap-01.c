// CAT: heap
// TRUTH: safe
// ARGS:
// WHY: growing by realloc keeps exactly the old bytes, wherever the new object is
#include "v.h"
#include <stdlib.h>

int main(void) {
  unsigned n = __VERIFIER_nondet_uchar() % 8 + 1;
  unsigned char *p = malloc(n);
  if (!p)
    return 0;
  for (unsigned i = 0; i < n; i++)
    p[i] = (unsigned char)(i * 7);
  unsigned char *q = realloc(p, 64 + n);
  if (!q) {
    assert(p[n - 1] == (unsigned char)((n - 1) * 7));
    free(p);
    return 0;
  }
  for (unsigned i = 0; i < n; i++)
    assert(q[i] == (unsigned char)(i * 7));
  free(q);
  return 0;
}
