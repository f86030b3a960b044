// CAT: fptr
// CAT: fptr
// TRUTH: safe
// ARGS:
// WHY: _Exit and a return from main differ: only the second runs the handlers, and it is reached only when it is fine
#include "v.h"
#include <stdlib.h>

static int broken;

static void check(void) {
  if (broken)
    reach_error();
}

__attribute__((destructor)) static void check_again(void) {
  check();
}

int main(void) {
  atexit(check);
  broken = __VERIFIER_nondet_int() & 1;
  if (broken)
    _Exit(0);
  return 0;
}
