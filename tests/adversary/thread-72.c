// CAT: thread
// TRUTH: unsafe
// WHY: a wait with a limit gives the mutex to others, also in C11.
#include "v.h"

#include <threads.h>
#include <time.h>

static mtx_t mutex;
static cnd_t changed;
static int value;
static int change(void *unused) {
  mtx_lock(&mutex);
  value = 1;
  mtx_unlock(&mutex);
  return 0;
}
int main(void) {
  thrd_t thread;
  struct timespec limit = {0};
  mtx_init(&mutex, mtx_plain);
  cnd_init(&changed);
  thrd_create(&thread, change, 0);
  mtx_lock(&mutex);
  int before = value;
  cnd_timedwait(&changed, &mutex, &limit);
  assert(before == value);
  mtx_unlock(&mutex);
  thrd_join(thread, 0);
  return 0;
}
