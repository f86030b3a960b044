// CAT: fptr
// CAT: fptr
// TRUTH: safe
// ARGS:
// WHY: a signal without a handler ends the program, so what follows raise is never executed
#include "v.h"
#include <signal.h>

int main(void) {
  int n = __VERIFIER_nondet_int();
  signal(SIGTERM, SIG_IGN);
  raise(SIGTERM);
  signal(SIGTERM, SIG_DFL);
  if (n == 0)
    return 0;
  raise(SIGTERM);
  reach_error();
  return 0;
}
