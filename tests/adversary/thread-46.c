// CAT: thread
// TRUTH: unsafe
// WHY: errno in a function that is called through a pointer is that of the thread.
#include "v.h"

#include <errno.h>
#include <pthread.h>

int e;
void work(void) { e = errno; }
void (*volatile fp)(void) = work;
void *run(void *f) {
  fp();
  return 0;
}
int main(void) {
  pthread_t a;
  errno = 5;
  pthread_create(&a, 0, run, 0);
  pthread_join(a, 0);
  assert(e == 5);
}
