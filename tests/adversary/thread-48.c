// CAT: thread
// TRUTH: unsafe
// ARGS: --property no-data-race
// WHY: the handle is written while another thread reads it.
#include "v.h"

#include <pthread.h>

pthread_t t1, t2;
void *other(void *x) { return 0; }
void *run(void *f) {
  if (t2 != 0)
    return 0;
  return f;
}
int main(void) {
  pthread_create(&t1, 0, run, 0);
  pthread_create(&t2, 0, other, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
}
