// CAT: thread
// TRUTH: unsafe
// ARGS: --property no-data-race
// WHY: nanosleep reads the time that another thread writes.
#include "v.h"

#include <pthread.h>
#include <time.h>

struct timespec ts, left;
void *run(void *u) {
  ts.tv_nsec = 5;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  nanosleep(&ts, &left);
  pthread_join(t, 0);
  return 0;
}
