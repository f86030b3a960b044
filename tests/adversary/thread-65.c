// CAT: thread
// TRUTH: unsafe
// WHY: a wait with a limit gives the mutex to others.
#include "v.h"

#include <pthread.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int x;
void *run(void *u) {
  pthread_mutex_lock(&m);
  x = 1;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  struct timespec ts = {0};
  pthread_create(&t, 0, run, 0);
  pthread_mutex_lock(&m);
  int v = x;
  pthread_cond_timedwait(&c, &m, &ts);
  assert(v == x);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
