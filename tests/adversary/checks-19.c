// CAT: checks
// CAT: checks
// TRUTH: safe
// ARGS: --property all
// NATIVE: skip
// WHY: in C a function may end without a return if the caller does not use the value
#include "v.h"

static int seen;

static int remember(int x) {
  if (x > 0)
    return x;
  seen = 1;
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  remember(n);
  if (!seen)
    return remember(n) == n;
  return 0;
}
