// CAT: heap
// TRUTH: ub
// ARGS:
// WHY: realloc to size 0 frees the object, so freeing it after the null result frees it twice
#include "v.h"
#include <stdlib.h>

int main(void) {
  char *p = malloc(16);
  if (!p)
    return 0;
  unsigned n = __VERIFIER_nondet_uchar() % 4;
  char *q = realloc(p, n);
  if (q == 0)
    free(p);
  else
    free(q);
  return 0;
}
