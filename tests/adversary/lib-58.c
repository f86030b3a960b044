// CAT: lib
// TRUTH: safe
// WHY: glibc keeps two signals for itself, and tells what is done at the one that cannot be caught.
#include "v.h"

#include <signal.h>

static void handle(int number) {}
int main(void) {
  struct sigaction old;
  sigset_t all;
  sigfillset(&all);
  assert(signal(32, handle) == SIG_ERR && signal(SIGKILL, handle) == SIG_ERR);
  assert(!sigismember(&all, 32) && !sigismember(&all, 33) && sigismember(&all, 34));
  assert(sigaction(SIGKILL, 0, &old) == 0 && sigaction(33, 0, &old) == -1);
  return 0;
}
