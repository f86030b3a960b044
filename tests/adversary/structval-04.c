// CAT: structval
// TRUTH: safe
// ARGS:
// WHY: Overflow of one bit-field never carries into its neighbour, in either direction.
#include "v.h"

struct packed_bits {
  unsigned int a : 3;
  unsigned int b : 7;
  unsigned int c : 11;
  signed int d : 5;
};

int main(void) {
  struct packed_bits s = {7, 100, 2000, -16};
  unsigned int n = __VERIFIER_nondet_uchar();
  s.b += n;
  s.c <<= 3;
  s.d--;
  s.a++;
  assert(s.a == 0);
  assert(s.b == ((100 + n) & 127));
  assert(s.c == (16000 & 2047));
  assert(s.d == 15);
  return 0;
}
