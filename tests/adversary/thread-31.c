// CAT: thread
// TRUTH: unsafe
// WHY: what is called through a pointer may wait, when others have seen what came before.
#include "v.h"

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int (*volatile wait)(pthread_mutex_t *) = pthread_mutex_lock;
static int set;
static void *look(void *unused) {
  if (set)
    reach_error();
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_mutex_lock(&mutex);
  pthread_create(&thread, 0, look, 0);
  set = 1;
  wait(&mutex);
  return 0;
}
