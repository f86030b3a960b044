// CAT: structval
// TRUTH: unsafe
// ARGS:
// WHY: Updates of volatile bit-fields that share a byte with ordinary ones and lie across a byte boundary.
// WITNESS: 0x0703
#include "v.h"

struct reg {
  unsigned short low : 6;
  volatile unsigned short mid : 5;
  unsigned short high : 5;
};

union cell {
  struct reg r;
  unsigned short all;
};

int main(void) {
  volatile union cell c;
  c.all = __VERIFIER_nondet_ushort();
  unsigned short old = c.all;
  c.r.mid += 3;
  c.r.mid ^= 0x1f;
  c.r.high = c.r.mid;
  assert((c.all & 63) == (old & 63));
  if (c.r.high == 0 && c.all != 0 && (old >> 6 & 31) == 28) {
    reach_error();
  }
  return 0;
}
