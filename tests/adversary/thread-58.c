// CAT: thread
// TRUTH: safe
// ARGS: --property no-deadlock
// WHY: a wake-up is for who waited when it was sent, not for who waits later.
#include "v.h"

#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int count, gen;
void barrier(void) {
  pthread_mutex_lock(&m);
  int g = gen;
  if (++count == 2) {
    count = 0;
    gen++;
    pthread_cond_broadcast(&c);
  } else
    while (g == gen)
      pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
}
void *run(void *u) {
  barrier();
  barrier();
  return 0;
}
int main(void) {
  pthread_t t1;
  pthread_create(&t1, 0, run, 0);
  run(0);
  pthread_join(t1, 0);
}
