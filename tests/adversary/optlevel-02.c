// CAT: optlevel
// TRUTH: unsafe
// ARGS: -- -O3
// WHY: Vectorised byte comparison with an accumulator of one byte, which wraps at 256 equal elements.
#include "v.h"
#include <string.h>

int main(void) {
  unsigned char a[257];
  memset(a, 7, sizeof a);
  a[__VERIFIER_nondet_uint() % 257] = __VERIFIER_nondet_uchar();
  unsigned char equal = 0;
  for (int i = 0; i < 257; i++) {
    equal += a[i] == 7;
  }
  if (equal == 0) {
    reach_error();
  }
  return 0;
}
