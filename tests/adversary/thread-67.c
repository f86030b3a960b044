// CAT: thread
// TRUTH: unsafe
// WHY: a mutex that is made recursive where the program runs is not one of the usual kind.
#include "v.h"

#include <pthread.h>

static pthread_mutex_t mutex;
static int depth;
static void *nest(void *unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
  depth = 2;
  pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&mutex);
  return 0;
}
int main(void) {
  pthread_mutexattr_t kind;
  pthread_t thread;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&mutex, &kind);
  pthread_create(&thread, 0, nest, 0);
  pthread_join(thread, 0);
  assert(depth != 2);
  return 0;
}
