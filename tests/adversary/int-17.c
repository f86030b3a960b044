// CAT: int
// TRUTH: safe
// ARGS:
// WHY: __int128 division truncates and the sign of the remainder is that of the dividend; the arithmetic shift rounds down.
#include "v.h"

int main(void) {
  long hi = __VERIFIER_nondet_char();
  unsigned long lo = __VERIFIER_nondet_uchar();
  __int128 x = (__int128)hi * ((__int128)1 << 64) + lo;
  __int128 q = x / 16;
  __int128 r = x % 16;
  __int128 s = x >> 4;
  assert(r == 0 || (r < 0) == (x < 0));
  assert(q * 16 + r == x);
  if (x < 0 && r != 0) {
    assert(q == s + 1);
  } else {
    assert(q == s);
  }
  assert((long)(x >> 64) == hi);
  return 0;
}
