// CAT: thread
// TRUTH: unsafe
// ARGS: --property memory-cleanup
// NATIVE: skip
// WHY: the program ends by its last thread, and what is not freed then is not freed.
#include "v.h"
#include <pthread.h>
#include <stdlib.h>

static void *work(void *unused) { return unused; }

int main(void) {
  pthread_t thread;
  if (pthread_create(&thread, 0, work, 0))
    return 0;
  malloc(4);
  pthread_exit(0);
}
