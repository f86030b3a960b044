// CAT: thread
// TRUTH: safe
// WHY: what runs when the program ends does so after the last thread.
#include "v.h"
#include <pthread.h>
#include <stdlib.h>

static int state;

static void *work(void *unused) {
  state = 5;
  return unused;
}

static void at_end(void) {
  if (state != 5)
    reach_error();
}

int main(void) {
  pthread_t thread;
  if (atexit(at_end) || pthread_create(&thread, 0, work, 0))
    return 0;
  pthread_exit(0);
}
