// CAT: thread
// TRUTH: unsafe
// ARGS: --property no-data-race
// WHY: the value of a semaphore is written while another thread writes there.
#include "v.h"

#include <pthread.h>
#include <semaphore.h>

sem_t s;
int v;
void *run(void *u) {
  sem_getvalue(&s, &v);
  return 0;
}
int main(void) {
  pthread_t t1, t2;
  sem_init(&s, 0, 1);
  pthread_create(&t1, 0, run, 0);
  v = 3;
  pthread_join(t1, 0);
}
