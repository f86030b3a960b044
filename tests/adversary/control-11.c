// CAT: control
// CAT: control
// TRUTH: unsafe
// ARGS:
// WHY: longjmp with the value 0 makes setjmp return 1, so it is not the endless loop it looks like
#include "v.h"
#include <setjmp.h>

static jmp_buf env;

static void leave(int value) {
  longjmp(env, value);
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n > 0)
    return 0;
  switch (setjmp(env)) {
  case 0:
    leave(n);
    return 0;
  case 1:
    reach_error();
  }
  return 0;
}
