// CAT: thread
// TRUTH: unsafe
// ARGS: --property no-deadlock
// WHY: one thread waits for itself.
#include "v.h"

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
  return 0;
}
