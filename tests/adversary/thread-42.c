// CAT: thread
// TRUTH: unsafe
// WHY: what a thread wrote before it trapped is seen by others that run first.
#include "v.h"

#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
void *run(void *f) {
  x = 1;
  __builtin_trap();
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, run, 0);
  assert(x == 0);
  pthread_join(a, 0);
  return 0;
}
