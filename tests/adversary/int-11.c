// CAT: int
// TRUTH: safe
// ARGS:
// WHY: The case label is not converted to char: a plain char promotes to a negative int and never is 200.
#include "v.h"

int main(void) {
  char c = __VERIFIER_nondet_char();
  int kind = 0;
  switch (c) {
  case 200:
    kind = 1;
    break;
  case -56:
    kind = 2;
    break;
  case 300:
    kind = 3;
    break;
  }
  if (kind & 1) {
    reach_error();
  }
  return 0;
}
