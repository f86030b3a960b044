// CAT: thread
// TRUTH: unsafe
// WHY: one thread may run between the read and the write of another one.
#include "v.h"

#include <pthread.h>

int count;
static void *add(void *unused) {
  count++;
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
