// CAT: thread
// TRUTH: unsafe
// ARGS: --property no-deadlock
// WHY: main waits for what a thread that has ended took with it.
#include "v.h"

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *take(void *unused) {
  pthread_mutex_lock(&mutex);
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, take, 0);
  pthread_join(thread, 0);
  pthread_mutex_lock(&mutex);
  return 0;
}
