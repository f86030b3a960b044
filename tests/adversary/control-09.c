// CAT: control
// CAT: control
// TRUTH: unsafe
// ARGS:
// WHY: a jump into the loop skips its initialisation and its first test, so the body runs once too often
#include "v.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uchar() % 8;
  unsigned i = n, rounds = 0;
  if (n > 3)
    goto inside;
  for (i = 0; i < 4; i++) {
  inside:
    rounds++;
  }
  assert(rounds <= 4);
  if (i > 7 && rounds == 1)
    reach_error();
  return 0;
}
