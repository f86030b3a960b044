// CAT: lib
// TRUTH: unsafe
// WHY: real-time signals are counted while they are blocked.
#include "v.h"

#include <signal.h>

static int count;
static void handle(int number) { count++; }
int main(void) {
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, 40);
  signal(40, handle);
  sigprocmask(SIG_BLOCK, &blocked, 0);
  raise(40);
  raise(40);
  sigprocmask(SIG_UNBLOCK, &blocked, 0);
  assert(count != 2);
  return 0;
}
