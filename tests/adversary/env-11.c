// CAT: env
// TRUTH: safe
// ARGS:
// WHY: neither _exit nor quick_exit runs what atexit registered; only exit and the return from main do.
#include "v.h"
#include <stdlib.h>
#include <unistd.h>

static void at_end(void) { reach_error(); }

int main(void) {
  if (atexit(at_end) != 0)
    _exit(2);
  if (__VERIFIER_nondet_bool())
    _exit(0);
  quick_exit(1);
}
