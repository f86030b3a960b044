// CAT: fptr
// CAT: fptr
// TRUTH: safe
// ARGS:
// WHY: qsort compares pointers into the array only, and the result is a sorted permutation whatever the order of calls
#include "v.h"
#include <stdlib.h>

static int a[3];
static int outside;

static int compare(const void *p, const void *q) {
  const int *x = p, *y = q;
  if (x < a || x >= a + 3 || y < a || y >= a + 3)
    outside++;
  return (*x > *y) - (*x < *y);
}

int main(void) {
  unsigned sum = 0;
  for (int i = 0; i < 3; i++) {
    a[i] = __VERIFIER_nondet_int();
    sum += (unsigned)a[i];
  }
  qsort(a, 3, sizeof a[0], compare);
  assert(!outside);
  assert(a[0] <= a[1] && a[1] <= a[2]);
  assert((unsigned)a[0] + (unsigned)a[1] + (unsigned)a[2] == sum);
  return 0;
}
