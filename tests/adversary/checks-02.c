// CAT: checks
// CAT: checks
// TRUTH: safe
// ARGS: --property bounds
// NATIVE: skip
// WHY: the index is never compared with the length: a mask of the allowed indices is looked at
#include "v.h"

int main(void) {
  int a[5] = {1, 2, 3, 4, 5};
  unsigned n = __VERIFIER_nondet_uint();
  int sum = 0;
  if ((0x1fu >> (n & 31)) & 1)
    sum += a[n & 31];
  if (n * 8 == 32)
    sum += a[(n * 8) >> 3];
  if (((n & 7) ^ 7) > 2)
    sum += a[n & 7];
  return sum;
}
