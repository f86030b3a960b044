// CAT: control
// CAT: control
// TRUTH: unsafe
// ARGS:
// WHY: Duff's device copies a whole round of elements if the count is 0
#include "v.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uchar() % 9;
  unsigned copied = 0, rounds = (n + 3) / 4;
  switch (n % 4) {
  case 0:
    do {
      copied++;
    case 3:
      copied++;
    case 2:
      copied++;
    case 1:
      copied++;
    } while (rounds-- > 1);
  }
  if (copied != n)
    reach_error();
  return 0;
}
