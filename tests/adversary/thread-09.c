// CAT: thread
// TRUTH: unsafe
// WHY: a static variable is one for all threads.
#include "v.h"

#include <pthread.h>

static void *work(void *given) {
  static int shared;
  shared = given != 0;
  if (shared != (given != 0))
    reach_error();
  return 0;
}
int main(void) {
  pthread_t a, b;
  int any;
  pthread_create(&a, 0, work, &any);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
