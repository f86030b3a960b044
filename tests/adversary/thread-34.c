// CAT: thread
// TRUTH: unsafe
// WHY: destructors run when the last thread ends, after main has ended its own thread.
#include "v.h"
#include <pthread.h>

static int state;

static void *work(void *unused) {
  state = 5;
  return unused;
}

__attribute__((destructor)) static void at_end(void) {
  if (state == 5)
    reach_error();
}

int main(void) {
  pthread_t thread;
  if (pthread_create(&thread, 0, work, 0))
    return 0;
  pthread_exit(0);
}
