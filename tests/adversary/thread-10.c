// CAT: thread
// TRUTH: safe
// WHY: a thread-local variable is one for each thread.
#include "v.h"

#include <pthread.h>

static _Thread_local int own = 5;
static void *work(void *unused) {
  own++;
  if (own != 6)
    reach_error();
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (own != 5)
    reach_error();
  return 0;
}
