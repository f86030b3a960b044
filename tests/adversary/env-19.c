// CAT: env
// TRUTH: safe
// ARGS:
// WHY: pthread_create may fail, in which case nothing ran; otherwise the join orders the write before the read.
#include "v.h"
#include <pthread.h>

static int result;

static void *worker(void *argument) {
  result = *(int *)argument + 1;
  return &result;
}

int main(void) {
  pthread_t thread;
  void *returned = NULL;
  int input = 41;
  if (pthread_create(&thread, NULL, worker, &input) == 0) {
    pthread_join(thread, &returned);
    assert(returned == &result);
    assert(*(int *)returned == 42);
  } else {
    assert(result == 0);
  }
  return 0;
}
