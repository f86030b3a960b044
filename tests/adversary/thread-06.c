// CAT: thread
// TRUTH: unsafe
// WHY: a loop of one thread does not keep the other one from its error.
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
  for (int turns = 0;;)
    turns += 2;
}
