// CAT: control
// CAT: control
// TRUTH: safe
// ARGS: -- -O2
// WHY: a volatile local and a static one changed between setjmp and longjmp keep the new value, also optimised
#include "v.h"
#include <setjmp.h>

static jmp_buf env;

static void down(int n, volatile int *count) {
  (*count)++;
  if (n == 0)
    longjmp(env, 5);
  down(n - 1, count);
  reach_error();
}

int main(void) {
  static int tries;
  volatile int count = 10;
  int n = __VERIFIER_nondet_uchar() % 4;
  int copy = n;
  if (setjmp(env) == 0) {
    tries++;
    down(n, &count);
  }
  assert(count == 11 + copy);
  assert(tries == 1);
  return 0;
}
