// CAT: heap
// TRUTH: safe
// ARGS:
// WHY: two results of malloc(0) are either null or different, although neither has a byte
#include "v.h"
#include <stdlib.h>

int main(void) {
  unsigned n = __VERIFIER_nondet_uchar() & 1;
  char *p = malloc(0);
  char *q = malloc(n);
  char *r = malloc(0);
  if (p && q && r)
    assert(p != q && q != r && p != r);
  free(q);
  free(p);
  free(r);
  return 0;
}
