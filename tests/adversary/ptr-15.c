// CAT: ptr
// TRUTH: unsafe
// ARGS:
// WHY: pointers returned for different keys may be the same slot of a static array
#include "v.h"

static int *slot(unsigned key) {
  static int slots[4];
  return &slots[(key * 5) & 3];
}

int main(void) {
  unsigned i = __VERIFIER_nondet_uchar();
  unsigned j = __VERIFIER_nondet_uchar();
  if (i == j)
    return 0;
  int *p = slot(i), *q = slot(j);
  *p = 1;
  *q = 2;
  if (*p != 1)
    reach_error();
  return 0;
}
