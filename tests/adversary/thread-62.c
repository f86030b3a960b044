// CAT: thread
// TRUTH: safe
// ARGS: --property no-data-race
// WHY: an exchange whose comparison fails only reads.
#include "v.h"

#include <pthread.h>
#include <stdatomic.h>

int x = 1;
void *run(void *u) {
  int e = 0;
  __atomic_compare_exchange_n(&x, &e, 5, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
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
