// CAT: lib
// TRUTH: unsafe
// WHY: a signal that a program causes itself is delivered first, so that the handler of the other one runs first.
#include "v.h"

#include <signal.h>

static int first;
static void handle(int number) {
  if (!first)
    first = number;
}
int main(void) {
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGINT);
  sigaddset(&blocked, SIGFPE);
  signal(SIGINT, handle);
  signal(SIGFPE, handle);
  sigprocmask(SIG_BLOCK, &blocked, 0);
  raise(SIGFPE);
  raise(SIGINT);
  sigprocmask(SIG_UNBLOCK, &blocked, 0);
  assert(first != SIGINT);
  return 0;
}
