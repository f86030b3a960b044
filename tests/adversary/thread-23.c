// CAT: thread
// TRUTH: unsafe
// WHY: what an assumption rules out later has happened before.
#include "v.h"

#include <pthread.h>

int set;
static void *work(void *unused) {
  if (set)
    reach_error();
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  set = 1;
  __VERIFIER_assume(0);
  return 0;
}
