// CAT: control
// CAT: control
// TRUTH: unsafe
// ARGS:
// WHY: a static local is one variable for all frames of the recursion, so what it held before the call is lost
#include "v.h"

static int sum(int n) {
  static int mine;
  mine = n;
  if (n == 0)
    return 0;
  int rest = sum(n - 1);
  return mine + rest;
}

int main(void) {
  int n = __VERIFIER_nondet_uchar() % 6;
  int r = sum(n);
  if (r != n * (n + 1) / 2)
    reach_error();
  return 0;
}
