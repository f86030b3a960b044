// CAT: thread
// TRUTH: safe
// WHY: a wait with a limit that succeeds comes behind the post.
#include "v.h"

#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t done;
static int result;
static void *work(void *unused) {
  result = 1;
  sem_post(&done);
  return 0;
}
int main(void) {
  pthread_t thread;
  struct timespec limit = {0};
  sem_init(&done, 0, 0);
  pthread_create(&thread, 0, work, 0);
  if (sem_timedwait(&done, &limit) == 0)
    assert(result == 1);
  pthread_join(thread, 0);
  return 0;
}
