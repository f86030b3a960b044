// CAT: lib
// TRUTH: safe
// ARGS:
// WHY: a signal waits until its handler has returned, unless that is asked for.
#include "v.h"
#include <signal.h>

static int running, most, times;

static void handle(int number) {
  running++;
  if (running > most)
    most = running;
  if (++times == 1)
    raise(number);
  running--;
}

int main(void) {
  struct sigaction action = {.sa_handler = handle};
  int nested = __VERIFIER_nondet_int() != 0;
  if (nested)
    action.sa_flags = SA_NODEFER;
  sigaction(SIGUSR1, &action, 0);
  raise(SIGUSR1);
  assert(times == 2 && most == 1 + nested);
  return 0;
}
