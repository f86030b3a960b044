// CAT: control
// TRUTH: ub
// ARGS:
// WHY: a function returns that is said not to
#include "v.h"
_Noreturn void die(const char *why) {
  if (why[0] == 'x')
    for (;;)
      ;
}

void check(int n) {
  if (n < 0)
    die("negative");
  assert(n >= 0);
}

int main(void) {
  check(__VERIFIER_nondet_int());
  return 0;
}
