// CAT: thread
// TRUTH: unsafe
// WHY: trying to lock a mutex shows that somebody holds it.
#include "v.h"

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  if (pthread_mutex_trylock(&mutex) != 0)
    reach_error();
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  return 0;
}
