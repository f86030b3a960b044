// CAT: fptr
// CAT: fptr
// TRUTH: unsafe
// ARGS:
// WHY: raise runs the installed handler before it returns, and the handler changes a variable main has just set
#include "v.h"
#include <signal.h>

static volatile sig_atomic_t seen;

static void handler(int number) {
  seen = number;
}

int main(void) {
  signal(SIGUSR1, handler);
  unsigned n = __VERIFIER_nondet_uchar();
  seen = 0;
  if (n > 200)
    raise(SIGUSR1);
  if (seen == SIGUSR1)
    reach_error();
  return 0;
}
