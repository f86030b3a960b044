// CAT: thread
// TRUTH: safe
// ARGS: --property no-deadlock
// WHY: the same with two threads that wait in turn.
#include "v.h"

#include <pthread.h>
#include <semaphore.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int gen;
static void next(void) {
  pthread_mutex_lock(&m);
  gen++;
  pthread_cond_broadcast(&c);
  pthread_mutex_unlock(&m);
}
static void await(int g) {
  pthread_mutex_lock(&m);
  while (gen < g)
    pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
}
void *run(void *u) {
  await(1);
  next();
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  next();
  await(2);
  pthread_join(t, 0);
  return 0;
}
