// CAT: thread
// TRUTH: unsafe
// ARGS: --property no-deadlock
// WHY: an adaptive mutex is not recursive.
#include "v.h"

#include <pthread.h>

pthread_mutex_t m = {{.__kind = 3}};
int main(void) {
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m);
  return 0;
}
