// CAT: thread
// TRUTH: unsafe
// WHY: the loop never ends, as its comparison leads into it either way: main goes on all the same.
#include "v.h"

#include <pthread.h>
#include <stdatomic.h>

atomic_int flag, z;
void spin(unsigned i) {
again:
  if (i < 10)
    z = 1;
  i++;
  goto again;
}
void *run(void *f) {
  atomic_store(&flag, 1);
  spin(0);
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, run, 0);
  if (atomic_load(&flag))
    assert(0);
}
