// CAT: thread
// TRUTH: unsafe
// WHY: a loop whose counter is also moved back by an atomic operation does not end, so that the other thread runs in between.
#include "v.h"
#include <pthread.h>

static _Atomic int go;
static void *run(void *given) {
  go = 1;
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  for (int i = 0; i < 3; i++) {
    assert(go == 0);
    __sync_fetch_and_sub(&i, 1);
  }
  return 0;
}
