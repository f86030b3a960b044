// CAT: thread
// TRUTH: safe
// ARGS: --property no-data-race
// WHY: an atomic store in an atomic part is atomic.
#include "v.h"

#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void *run(void *u) {
  __VERIFIER_atomic_begin();
  atomic_store(&x, 1);
  __VERIFIER_atomic_end();
  return 0;
}
int main(void) {
  pthread_t t1;
  int r;
  pthread_create(&t1, 0, run, 0);
  r = x;
  pthread_join(t1, 0);
  return r;
}
