// CAT: thread
// TRUTH: unsafe
// WHY: a thread may wait for the first one, which ends before the program does.
#include "v.h"
#include <pthread.h>
#include <stdlib.h>

static int state;
static pthread_t first;

static void *work(void *unused) {
  pthread_join(first, 0);
  state = 5;
  return unused;
}

__attribute__((destructor)) static void at_end(void) {
  if (state == 5)
    reach_error();
}

int main(void) {
  pthread_t thread;
  first = pthread_self();
  if (pthread_create(&thread, 0, work, 0))
    return 0;
  pthread_exit(0);
}
