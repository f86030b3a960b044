// CAT: fptr
// CAT: fptr
// TRUTH: unsafe
// ARGS:
// WHY: qsort does not compare each pair: four elements may need only four comparisons
#include "v.h"
#include <stdlib.h>

static int calls;

static int compare(const void *p, const void *q) {
  int x = *(const int *)p, y = *(const int *)q;
  calls++;
  return (x > y) - (x < y);
}

int main(void) {
  int a[4] = {1, 2, 3, 4};
  a[__VERIFIER_nondet_uchar() % 4] += 0;
  qsort(a, 4, sizeof a[0], compare);
  if (calls < 5)
    reach_error();
  return 0;
}
