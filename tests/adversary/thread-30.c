// CAT: thread
// TRUTH: unsafe
// WHY: what one thread holds another one gives back, so that a third one gets in.
#include "v.h"

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int inside;
static void *stay(void *unused) {
  pthread_mutex_lock(&mutex);
  if (++inside == 2)
    reach_error();
  return 0;
}
static void *open(void *unused) {
  pthread_mutex_unlock(&mutex);
  return 0;
}
int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, stay, 0);
  pthread_create(&b, 0, stay, 0);
  pthread_create(&c, 0, open, 0);
  pthread_join(c, 0);
  return 0;
}
