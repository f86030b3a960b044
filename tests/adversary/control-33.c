// CAT: control
// TRUTH: ub
// ARGS:
// WHY: compilers leave out what stands behind a call that is said not to return, with all errors in it.
#include "v.h"
#include <stdlib.h>
#include <stdnoreturn.h>

static noreturn void fail(int status) {
  if (status)
    exit(status);
}

int main(void) {
  fail(__VERIFIER_nondet_int());
  reach_error();
  return 0;
}
