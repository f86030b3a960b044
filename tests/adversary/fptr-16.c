// CAT: fptr
// CAT: fptr
// TRUTH: ub
// ARGS:
// WHY: a missing entry of the table is null, calling it is undefined and not just no call
#include "v.h"

static int add(int x, int y) {
  return x + y;
}

static int sub(int x, int y) {
  return x - y;
}

static int (*const ops[4])(int, int) = {[0] = add, [3] = sub};

int main(void) {
  unsigned k = __VERIFIER_nondet_uint() & 3;
  int x = __VERIFIER_nondet_uchar();
  int r = ops[k](x, 1);
  assert(r == x + 1 || r == x - 1);
  return 0;
}
