// CAT: thread
// TRUTH: unsafe
// WHY: a mutex that somebody unlocks who does not hold it keeps nobody out.
#include "v.h"

#include <pthread.h>

int count;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *add(void *unused) {
  pthread_mutex_lock(&mutex);
  count++;
  pthread_mutex_unlock(&mutex);
  return 0;
}
static void *open(void *unused) {
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  count++;
  pthread_mutex_unlock(&mutex);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, open, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (count != 2)
    reach_error();
  return 0;
}
