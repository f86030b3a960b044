// CAT: thread
// TRUTH: safe
// ARGS: --property no-deadlock
// WHY: a signal is for a thread that waited then: those that wait later do not take it.
#include "v.h"
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int waiting, done;
static void *run(void *given) {
  pthread_mutex_lock(&lock);
  waiting++;
  pthread_cond_wait(&changed, &lock);
  done++;
  pthread_mutex_unlock(&lock);
  return 0;
}
static void signal_when(int count) {
  int seen = 0;
  while (!seen) {
    pthread_mutex_lock(&lock);
    seen = waiting >= count;
    if (seen)
      pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
  }
}
int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, run, 0);
  signal_when(1);
  pthread_create(&second, 0, run, 0);
  signal_when(2);
  pthread_join(first, 0);
  pthread_mutex_lock(&lock);
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  return 0;
}
