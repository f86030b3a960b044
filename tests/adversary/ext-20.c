// CAT: ext
// TRUTH: safe
// ARGS:
// NATIVE: skip
// WHY: the external function is declared not to return, so what follows the call is not reached.
#include "v.h"

void fail(const char *why) __attribute__((noreturn));

static int check(int x) {
  if (x > 5)
    fail("too large");
  return x;
}

int main(void) {
  int x = check(__VERIFIER_nondet_int());
  assert(x <= 5);
  return 0;
}
