// CAT: thread
// TRUTH: unsafe
// WHY: the handle is written after the variable, and another thread may run in between.
#include "v.h"

#include <pthread.h>
#include <stdatomic.h>

pthread_t t2;
atomic_int x;
void *other(void *f) { return 0; }
void *run(void *f) {
  if (x == 1 && *(volatile pthread_t *)&t2 == 0)
    assert(0);
  return f;
}
int main(void) {
  pthread_t t1;
  pthread_create(&t1, 0, run, 0);
  x = 1;
  pthread_create(&t2, 0, other, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
}
