// CAT: thread
// TRUTH: unsafe
// WHY: two mutexes keep nobody out.
#include "v.h"

#include <pthread.h>

int count;
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static void *add(void *unused) {
  pthread_mutex_lock(&one);
  count++;
  pthread_mutex_unlock(&one);
  return 0;
}
static void *more(void *unused) {
  pthread_mutex_lock(&other);
  count++;
  pthread_mutex_unlock(&other);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, more, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (count != 2)
    reach_error();
  return 0;
}
