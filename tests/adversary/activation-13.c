// CAT: activation
// TRUTH: unsafe
// ARGS:
// WHY: the variable of a function that is called through a pointer.
#include "v.h"

static void put(int *to, int value) { *to = value; }

static int one(int first) {
  int own;
  if (first)
    put(&own, 2);
  return own;
}

static int two(int first) {
  int own;
  put(&own, first);
  return own;
}

int main(void) {
  int (*f[2])(int) = {one, two};
  int pick = __VERIFIER_nondet_bool();
  f[1](1);
  f[pick](1);
  if (f[0](0) != 2)
    reach_error();
  return 0;
}
