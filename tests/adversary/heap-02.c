// CAT: heap
// TRUTH: unsafe
// ARGS:
// WHY: what is cut off by a shrinking realloc may still be there after growing again
#include "v.h"
#include <stdlib.h>

int main(void) {
  char *p = malloc(8);
  if (!p)
    return 0;
  p[7] = 'x';
  unsigned n = __VERIFIER_nondet_uchar() % 4 + 1;
  char *q = realloc(p, n);
  if (!q)
    return 0;
  char *r = realloc(q, 8);
  if (r && r[7] == 'x')
    reach_error();
  return 0;
}
