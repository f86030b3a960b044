// CAT: thread
// TRUTH: unsafe
// ARGS: --property no-data-race
// WHY: a mutex is assigned while another thread locks it.
#include "v.h"

#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *run(void *u) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  m = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  pthread_join(t, 0);
  return 0;
}
