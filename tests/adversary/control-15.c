// CAT: control
// CAT: control
// TRUTH: ub
// ARGS:
// WHY: a local without a value seems to be 42, which an earlier call has left at the same place of the stack
#include "v.h"

static int leave(void) {
  volatile int secret = 42;
  return secret;
}

static int find(void) {
  int unset;
  return unset;
}

int main(void) {
  int x = __VERIFIER_nondet_bool();
  int a = leave();
  int b = find();
  assert(x || a != b);
  return 0;
}
