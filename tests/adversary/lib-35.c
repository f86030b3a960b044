// CAT: lib
// TRUTH: unsafe
// ARGS:
// WHY: a signal that the program sends to itself by another name runs its handler.
#include "v.h"
#include <pthread.h>
#include <signal.h>

static void handle(int number) { reach_error(); }

int main(void) {
  signal(SIGUSR1, handle);
  pthread_kill(pthread_self(), SIGUSR1);
  return 0;
}
