// CAT: thread
// TRUTH: safe
// WHY: each thread has a local variable of its own, whose address it gives away.
#include "v.h"

#include <pthread.h>

static void set(int *to, int value) { *to = value; }
static void *work(void *given) {
  int own;
  set(&own, given != 0);
  if (own != (given != 0))
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
