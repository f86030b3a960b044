// CAT: checks
// CAT: checks
// TRUTH: safe
// ARGS: --property bounds
// NATIVE: skip
// WHY: the address of the element one past the end is taken, compared with and gone back from, but not read
#include "v.h"

int main(void) {
  int a[4] = {1, 2, 3, 4};
  unsigned n = __VERIFIER_nondet_uint() % 5;
  int *end = &a[4];
  int *p = &a[n];
  int sum = 0;
  while (p != end)
    sum += *p++;
  if (sum == 0)
    sum += p[-1];
  return sum + (&a[4])[-4];
}
