// CAT: thread
// TRUTH: unsafe
// ARGS: --property no-data-race
// WHY: two threads write at once.
#include "v.h"

#include <pthread.h>

int value;
static void *set(void *unused) {
  value = 1;
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, set, 0);
  pthread_create(&b, 0, set, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
