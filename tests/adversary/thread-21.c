// CAT: thread
// TRUTH: unsafe
// ARGS: --property no-deadlock
// WHY: each thread holds the mutex that the other one waits for.
#include "v.h"

#include <pthread.h>

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static void *first(void *unused) {
  pthread_mutex_lock(&one);
  pthread_mutex_lock(&other);
  pthread_mutex_unlock(&other);
  pthread_mutex_unlock(&one);
  return 0;
}
static void *second(void *unused) {
  pthread_mutex_lock(&other);
  pthread_mutex_lock(&one);
  pthread_mutex_unlock(&one);
  pthread_mutex_unlock(&other);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
