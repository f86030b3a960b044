// CAT: memcpy
// TRUTH: safe
// ARGS:
// WHY: A copy of n bytes over a long replaces exactly the lower n bytes of the value.
#include "v.h"
#include <string.h>

int main(void) {
  unsigned long src = __VERIFIER_nondet_ulong();
  unsigned long dst = __VERIFIER_nondet_ulong();
  unsigned long old = dst;
  unsigned int n = __VERIFIER_nondet_uint() % 9;
  memcpy(&dst, &src, n);
  unsigned long mask = n == 8 ? ~0ul : (1ul << (8 * n)) - 1;
  assert(dst == ((src & mask) | (old & ~mask)));
  return 0;
}
