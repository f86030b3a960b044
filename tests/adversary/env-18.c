// CAT: env
// TRUTH: unsafe
// ARGS:
// WHY: pthread_exit in main ends only that thread; when the last thread is gone, the atexit functions run.
#include "v.h"
#include <pthread.h>
#include <stdlib.h>

static void at_end(void) { reach_error(); }

int main(void) {
  if (atexit(at_end) != 0)
    return 0;
  pthread_exit(NULL);
}
