// CAT: thread
// TRUTH: unsafe
// ARGS: --property no-data-race
// WHY: a write of the value that is there already races with a read in an atomic part.
#include "v.h"

#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int flag;
static void *reset(void *unused) {
  flag = 0;
  return 0;
}
int main(void) {
  pthread_t thread;
  int seen;
  pthread_create(&thread, 0, reset, 0);
  __VERIFIER_atomic_begin();
  seen = flag;
  __VERIFIER_atomic_end();
  pthread_join(thread, 0);
  return seen;
}
