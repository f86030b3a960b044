// CAT: control
// TRUTH: safe
// ARGS:
// WHY: a function that is said not to return does not
#include "v.h"
#include <stdlib.h>

_Noreturn void die(int code) {
  exit(code);
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0)
    die(1);
  assert(n >= 0);
  return 0;
}
