// CAT: lib
// TRUTH: unsafe
// ARGS:
// WHY: a signal waits until its handler has returned.
#include "v.h"
#include <signal.h>

static int running, most;

static void handle(int number) {
  running++;
  if (running > most)
    most = running;
  if (most < 2 && __VERIFIER_nondet_int() == 0)
    raise(number);
  running--;
}

int main(void) {
  signal(SIGUSR1, handle);
  raise(SIGUSR1);
  assert(most != 1);
  return 0;
}
