// CAT: control
// TRUTH: unsafe
// ARGS:
// WHY: the end of a thread runs what was put down for it.
#include "v.h"
#include <pthread.h>

static void last(void *nothing) { reach_error(); }

int main(void) {
  pthread_cleanup_push(last, 0);
  pthread_exit(0);
  pthread_cleanup_pop(0);
  return 0;
}
