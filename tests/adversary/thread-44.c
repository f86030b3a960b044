// CAT: thread
// TRUTH: unsafe
// WHY: an unsigned number is never below zero: the loop never ends, and main goes on all the same.
#include "v.h"

#include <pthread.h>
#include <stdatomic.h>

atomic_int flag, z;
void spin(unsigned n) {
  for (; n >= 0; n--)
    z = 1;
}
void *run(void *f) {
  flag = 1;
  spin(5);
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, run, 0);
  if (atomic_load(&flag))
    assert(0);
}
