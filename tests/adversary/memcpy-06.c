// CAT: memcpy
// TRUTH: safe
// ARGS:
// WHY: memmove of overlapping ranges by an amount known only at run time keeps every element, whichever direction.
#include "v.h"
#include <string.h>

int main(void) {
  short a[6] = {10, 11, 12, 13, 14, 15};
  unsigned int from = __VERIFIER_nondet_uint() % 4;
  unsigned int to = __VERIFIER_nondet_uint() % 4;
  memmove(a + to, a + from, 3 * sizeof a[0]);
  unsigned int k = __VERIFIER_nondet_uint() % 6;
  if (k >= to && k < to + 3) {
    assert(a[k] == (short)(10 + from + k - to));
  } else {
    assert(a[k] == (short)(10 + k));
  }
  return 0;
}
