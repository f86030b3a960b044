// CAT: thread
// TRUTH: unsafe
// WHY: nobody says that a wait for a condition ends with a signal only.
#include "v.h"

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int ready;
static void *work(void *unused) {
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_mutex_lock(&mutex);
  if (!ready)
    pthread_cond_wait(&changed, &mutex);
  if (!ready)
    reach_error();
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  return 0;
}
