// CAT: control
// CAT: control
// TRUTH: unsafe
// ARGS:
// WITNESS: 102
// WHY: the 91 function is 91 up to 101, one more is the first exception
#include "v.h"

static int f(int n) {
  return n > 100 ? n - 10 : f(f(n + 11));
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 95 || n > 102)
    return 0;
  if (f(n) != 91)
    reach_error();
  return 0;
}
