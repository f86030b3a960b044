// CAT: control
// CAT: control
// TRUTH: unsafe
// ARGS:
// WHY: break inside of a statement expression leaves the loop around it before the sum is stored
#include "v.h"

int main(void) {
  int x = 0, rounds = 0;
  while (1) {
    rounds++;
    x += ({
      int c = __VERIFIER_nondet_uchar() % 3;
      if (rounds == 5 || c == 0)
        break;
      if (c == 1)
        continue;
      c;
    });
  }
  if (x == 6)
    reach_error();
  return 0;
}
