// CAT: fptr
// CAT: fptr
// TRUTH: unsafe
// ARGS:
// WHY: exit handlers run in the reverse order of their registration, after main has returned
#include "v.h"
#include <stdlib.h>

static int log_;

static void one(void) {
  log_ = log_ * 10 + 1;
  if (log_ == 221)
    reach_error();
}

static void two(void) {
  log_ = log_ * 10 + 2;
}

int main(void) {
  atexit(one);
  atexit(two);
  if (__VERIFIER_nondet_bool())
    atexit(two);
  assert(log_ == 0);
  return 0;
}
