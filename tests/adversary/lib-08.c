// CAT: lib
// TRUTH: unsafe
// ARGS:
// WHY: a handler that is asked for one signal only is gone when it runs
#include "v.h"
#include <signal.h>
#include <string.h>

static void handle(int number) { (void)number; }

int main(void) {
  struct sigaction action, now;
  memset(&action, 0, sizeof action);
  action.sa_handler = handle;
  action.sa_flags = SA_RESETHAND;
  sigaction(SIGUSR1, &action, 0);
  raise(SIGUSR1);
  sigaction(SIGUSR1, 0, &now);
  if (now.sa_handler == SIG_DFL)
    reach_error();
  return 0;
}
