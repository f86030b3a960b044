// CAT: optlevel
// TRUTH: safe
// ARGS: -- -O2
// WHY: A De Bruijn table lookup that the optimiser turns into cttz, with zero mapped to the first entry.
#include "v.h"

static const unsigned char table[32] = {0,  1,  28, 2,  29, 14, 24, 3,  30, 22, 20, 15, 25, 17, 4,  8,
                                        31, 27, 13, 23, 21, 19, 16, 7,  26, 12, 18, 6,  11, 5,  10, 9};

static int lowest(unsigned int x) {
  return table[((x & -x) * 0x077CB531u) >> 27];
}

int main(void) {
  unsigned int x = __VERIFIER_nondet_uint();
  int k = lowest(x);
  if (x == 0) {
    assert(k == 0);
  } else {
    assert((x >> k) & 1);
    assert((x & ((1u << k) - 1)) == 0);
  }
  return 0;
}
