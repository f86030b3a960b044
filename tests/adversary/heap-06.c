// CAT: heap
// TRUTH: unsafe
// ARGS:
// WHY: malloc does not zero: a new object may hold what a freed one of the same size held
#include "v.h"
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *p = malloc(32);
  if (!p)
    return 0;
  memset(p, 'A', 32);
  free(p);
  char *q = malloc(32);
  unsigned i = __VERIFIER_nondet_uchar() % 32;
  if (q && q[i] == 'A')
    reach_error();
  free(q);
  return 0;
}
