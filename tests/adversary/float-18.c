// CAT: float
// TRUTH: safe
// ARGS:
// WHY: The bits of a NaN, payload and quiet bit included, survive loads, stores and assignments in SSE registers.
#include "v.h"
#include <string.h>

union pun {
  unsigned long bits;
  double value;
};

int main(void) {
  union pun a;
  union pun b;
  a.bits = __VERIFIER_nondet_ulong();
  double d = a.value;
  double e = -d;
  e = -e;
  b.value = e;
  assert(a.bits == b.bits);
  assert(memcmp(&a, &b, sizeof a) == 0);
  return 0;
}
