// CAT: ub
// TRUTH: safe
// ARGS: -- -O2
// WHY: reading another member of a union and memcpy are allowed ways to see the bits; so is looking at the bytes.
#include "v.h"
#include <string.h>

int main(void) {
  union {
    float f;
    unsigned u;
    unsigned char bytes[4];
  } pun;
  unsigned copy;
  float x = __VERIFIER_nondet_float();
  pun.f = x;
  memcpy(&copy, &x, sizeof copy);
  assert(pun.bytes[3] == (pun.u >> 24));
  if (x == x)
    assert(copy == pun.u);
  pun.f = 1.0f;
  assert(pun.u == 0x3f800000u);
  return 0;
}
