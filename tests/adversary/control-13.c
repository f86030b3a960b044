// CAT: control
// CAT: control
// TRUTH: ub
// ARGS: -- -O2
// WHY: a local that is not volatile and changed between setjmp and longjmp is indeterminate afterwards
#include "v.h"
#include <setjmp.h>

static jmp_buf env;

__attribute__((noinline)) static void leave(void) {
  longjmp(env, 1);
}

int main(void) {
  int x = __VERIFIER_nondet_uchar();
  int n = 0;
  if (setjmp(env) == 0) {
    n = x + 1;
    if (x < 100)
      leave();
  } else {
    assert(n == x + 1);
  }
  return 0;
}
