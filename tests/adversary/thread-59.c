// CAT: thread
// TRUTH: safe
// ARGS: --property no-deadlock
// WHY: the same with a signal.
#include "v.h"

#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready, waiting;
void *run(void *u) {
  pthread_mutex_lock(&m);
  waiting = 1;
  while (!ready)
    pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return 0;
}
void *later(void *u) {
  pthread_mutex_lock(&m);
  if (ready) {
    while (ready < 2)
      pthread_cond_wait(&c, &m);
  }
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t1, t2;
  pthread_create(&t1, 0, run, 0);
  pthread_create(&t2, 0, later, 0);
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  pthread_join(t1, 0);
  pthread_mutex_lock(&m);
  ready = 2;
  pthread_cond_broadcast(&c);
  pthread_mutex_unlock(&m);
  pthread_join(t2, 0);
}
