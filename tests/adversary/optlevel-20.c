// CAT: optlevel
// TRUTH: safe
// ARGS: -- -O2
// WHY: The population count written out with masks is recognised as ctpop, the loop that clears the lowest bit too.
#include "v.h"

static unsigned int by_masks(unsigned int x) {
  x = x - ((x >> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >> 2) & 0x33333333);
  x = (x + (x >> 4)) & 0x0f0f0f0f;
  return (x * 0x01010101u) >> 24;
}

static unsigned int by_loop(unsigned int x) {
  unsigned int n = 0;
  while (x != 0) {
    x &= x - 1;
    n++;
  }
  return n;
}

int main(void) {
  unsigned int x = __VERIFIER_nondet_ushort();
  unsigned int n = by_masks(x);
  assert(n <= 16);
  assert(by_loop(x) == n);
  assert(by_masks(~x) == 32 - n);
  return 0;
}
