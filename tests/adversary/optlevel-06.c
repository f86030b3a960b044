// CAT: optlevel
// TRUTH: unsafe
// ARGS: -- -O2
// WHY: Four byte loads are merged into one swapped load, of which the middle bytes are then compared.
#include "v.h"

int main(void) {
  unsigned char b[6];
  for (int i = 0; i < 6; i++) {
    b[i] = i * 17 + __VERIFIER_nondet_bool();
  }
  unsigned int at = __VERIFIER_nondet_uint() % 3;
  unsigned char *p = b + at;
  unsigned int big = (unsigned int)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
  if ((big & 0xffffff) == 0x334455) {
    reach_error();
  }
  return 0;
}
