// CAT: thread
// TRUTH: unsafe
// WHY: glibc refuses to detach a thread that was detached before.
#include "v.h"

#include <pthread.h>

static void *nothing(void *unused) { return 0; }
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, nothing, 0);
  pthread_detach(thread);
  assert(pthread_detach(thread) == 0);
  return 0;
}
