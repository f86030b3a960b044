// CAT: control
// TRUTH: unsafe
// ARGS: --calls top
// WITNESS: 1
// WHY: the global that gets the result is one that the function leaves with another number: the result comes later.
#include "v.h"

static unsigned char g;

static unsigned char zero(unsigned char depth) {
  if (depth == 0) {
    g = 7;
    return 0;
  }
  g = zero(depth - 1);
  if (g != 7)
    reach_error();
  g = 7;
  return 0;
}

int main(void) {
  zero(__VERIFIER_nondet_uchar());
  return 0;
}
