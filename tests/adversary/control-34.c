// CAT: control
// TRUTH: safe
// ARGS:
// WHY: functions that end the program or turn for ever do not return, as they say.
#include "v.h"
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdnoreturn.h>

static noreturn void fail(const char *why) {
  fputs(why, stderr);
  exit(1);
}

static noreturn void wait_for_ever(void) {
  for (;;)
    ;
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 0)
    fail("below zero");
  if (x == 0)
    wait_for_ever();
  if (x > 9)
    err(1, "more than a digit");
  assert(1 <= x && x <= 9);
  return 0;
}
