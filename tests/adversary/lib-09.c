// CAT: lib
// TRUTH: unsafe
// ARGS:
// WHY: sigaction tells the flags and the set of signals that it was given before
#include "v.h"
#include <signal.h>
#include <string.h>

static void handle(int number) { (void)number; }

int main(void) {
  struct sigaction action, now;
  memset(&action, 0, sizeof action);
  action.sa_handler = handle;
  action.sa_flags = SA_RESTART;
  sigaddset(&action.sa_mask, SIGUSR2);
  sigaction(SIGUSR1, &action, 0);
  sigaction(SIGUSR1, 0, &now);
  if ((now.sa_flags & SA_RESTART) && sigismember(&now.sa_mask, SIGUSR2) == 1 && sigismember(&now.sa_mask, SIGINT) == 0)
    reach_error();
  return 0;
}
