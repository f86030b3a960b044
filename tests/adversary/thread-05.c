// CAT: thread
// TRUTH: unsafe
// WHY: main ends while the other thread is between its steps.
#include "v.h"

#include <pthread.h>

int state;
static void *work(void *unused) {
  state = 1;
  if (state == 2)
    reach_error();
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  state = 2;
  return 0;
}
