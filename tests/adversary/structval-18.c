// CAT: structval
// TRUTH: unsafe
// ARGS: -- -fpack-struct -fshort-enums
// WHY: Flags take away the padding and make the enum one byte, so members overlap in the union that otherwise would not.
#include "v.h"

enum tiny { T0, T1, T255 = 255 };

union view {
  struct {
    char c;
    int i;
    enum tiny t;
  } s;
  unsigned char b[12];
};

int main(void) {
  union view u = {.b = {0}};
  u.b[5] = __VERIFIER_nondet_uchar();
  u.b[1] = 1;
  if (u.s.t == T255 && u.s.i == 1 && sizeof u.s == 6) {
    reach_error();
  }
  return 0;
}
