// CAT: thread
// TRUTH: unsafe
// WHY: a function that a thread is given is called with the variables of that thread.
#include "v.h"

#include <pthread.h>

__thread int c;
int total;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void work(void) {
  c++;
  pthread_mutex_lock(&m);
  total += c;
  pthread_mutex_unlock(&m);
}
void *run(void *f) {
  ((void (*)(void))f)();
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, run, (void *)work);
  pthread_join(a, 0);
  pthread_create(&b, 0, run, (void *)work);
  pthread_join(b, 0);
  assert(total == 3);
}
