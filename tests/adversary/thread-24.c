// CAT: thread
// TRUTH: unsafe
// WHY: a thread goes on when main has left with pthread_exit.
#include "v.h"

#include <pthread.h>

int set;
static void *work(void *unused) {
  if (set)
    reach_error();
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  set = 1;
  pthread_exit(0);
}
