// CAT: env
// TRUTH: unsafe
// ARGS:
// WHY: raise returns without the handler having run, because the signal is blocked.
#define _GNU_SOURCE
#include "v.h"
#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t caught;

static void handler(int number) { caught = number; }

int main(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  if (signal(SIGUSR1, handler) == SIG_ERR)
    return 0;
  sigprocmask(SIG_BLOCK, &set, NULL);
  raise(SIGUSR1);
  if (caught != SIGUSR1)
    reach_error();
  return 0;
}
