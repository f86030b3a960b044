// CAT: thread
// TRUTH: unsafe
// ARGS: --property no-data-race
// WHY: the result of a joined thread is written while another thread reads there.
#include "v.h"

#include <pthread.h>

void *res;
pthread_t t1, t2;
void *one(void *x) { return (void *)1; }
void *run(void *f) {
  if (res != 0)
    return 0;
  return f;
}
int main(void) {
  pthread_t t1, t2;
  pthread_create(&t1, 0, one, 0);
  pthread_create(&t2, 0, run, 0);
  pthread_join(t1, &res);
  pthread_join(t2, 0);
}
