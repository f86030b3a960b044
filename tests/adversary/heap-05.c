// CAT: heap
// TRUTH: safe
// ARGS:
// WHY: calloc zeroes also memory which was dirtied before by an object freed meanwhile
#include "v.h"
#include <stdlib.h>
#include <string.h>

int main(void) {
  unsigned char fill = __VERIFIER_nondet_uchar();
  unsigned i = __VERIFIER_nondet_uint() % 40;
  unsigned char *p = malloc(40);
  if (!p)
    return 0;
  memset(p, fill, 40);
  free(p);
  unsigned char *q = calloc(5, 8);
  if (!q)
    return 0;
  assert(q[i] == 0);
  q[i] = fill;
  assert(q[(i + 1) % 40] == 0);
  free(q);
  return 0;
}
