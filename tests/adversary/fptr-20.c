// CAT: fptr
// CAT: fptr
// TRUTH: unsafe
// ARGS: -- -fwrapv
// WHY: a comparator which subtracts gets the sign wrong if the difference wraps, so the result is not sorted
#include "v.h"
#include <stdlib.h>

static int compare(const void *p, const void *q) {
  return *(const int *)p - *(const int *)q;
}

int main(void) {
  int a[2] = {__VERIFIER_nondet_int(), __VERIFIER_nondet_int()};
  qsort(a, 2, sizeof a[0], compare);
  if (a[0] > a[1])
    reach_error();
  return 0;
}
