// CAT: thread
// TRUTH: unsafe
// WHY: threads are created as often as a loop turns.
#include "v.h"

#include <pthread.h>

int count;
static void *add(void *unused) {
  __atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST);
  return 0;
}
int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], 0, add, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], 0);
  if (count == 3)
    reach_error();
  return 0;
}
