// CAT: thread
// TRUTH: unsafe
// WHY: an atomic read and an atomic write are two steps.
#include "v.h"

#include <pthread.h>

#include <stdatomic.h>
atomic_int count;
static void *add(void *unused) {
  count = count + 1;
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (count != 2)
    reach_error();
  return 0;
}
