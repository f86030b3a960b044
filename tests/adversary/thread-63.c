// CAT: thread
// TRUTH: safe
// ARGS: --property no-deadlock
// WHY: glibc tells the holder of a lock that it holds it.
#include "v.h"

#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int main(void) {
  pthread_rwlock_wrlock(&l);
  return pthread_rwlock_wrlock(&l) == 35;
}
