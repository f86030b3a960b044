// CAT: thread
// TRUTH: unsafe
// WHY: a lock with a limit gives up while another thread holds the mutex, and is refused only then.
#include "v.h"

#include <pthread.h>
#include <threads.h>
#include <time.h>

static mtx_t mutex;
static int hold(void *unused) {
  mtx_lock(&mutex);
  mtx_unlock(&mutex);
  return 0;
}
int main(void) {
  thrd_t thread;
  struct timespec limit = {0};
  mtx_init(&mutex, mtx_timed);
  assert(mtx_timedlock(&mutex, &limit) == thrd_success);
  mtx_unlock(&mutex);
  thrd_create(&thread, hold, 0);
  int locked = mtx_timedlock(&mutex, &limit);
  assert(locked == thrd_success);
  mtx_unlock(&mutex);
  thrd_join(thread, 0);
  return 0;
}
