// CAT: structval
// TRUTH: unsafe
// ARGS:
// WHY: The value of an assignment to a bit-field is the value after truncation.
#include "v.h"

struct bits {
  int a : 4;
  unsigned int b : 4;
};

int main(void) {
  struct bits s;
  int x = __VERIFIER_nondet_int();
  int y = (s.a = (s.b = x));
  if (x > 15 && y < 0 && s.b == 9) {
    reach_error();
  }
  return 0;
}
