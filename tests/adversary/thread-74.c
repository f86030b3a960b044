// CAT: thread
// TRUTH: unsafe
// WHY: a function that creates a thread is called by the first thread and by one that is created later; both create one.
#include "v.h"
#include <pthread.h>

static int shared;
static void *leaf(void *given) {
  if (given) {
    shared = 1;
    shared = 0;
  }
  return 0;
}
static void begin(int *given) {
  pthread_t thread;
  pthread_create(&thread, 0, leaf, given);
  assert(shared == 0);
}
static void *run(void *given) {
  begin(&shared);
  return 0;
}
static int never;
int main(void) {
  pthread_t thread;
  if (never)
    begin(0);
  pthread_create(&thread, 0, run, 0);
  pthread_join(thread, 0);
  return 0;
}
