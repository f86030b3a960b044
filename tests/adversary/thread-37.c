// CAT: thread
// TRUTH: unsafe
// ARGS: --property memory-safety
// WHY: a thread uses a variable whose block its creator has left.
#include "v.h"

#include <pthread.h>
#include <stdatomic.h>

pthread_t t;
atomic_int go;
void *run(void *u) {
  while (!go)
    ;
  *(int *)u = 1;
  return 0;
}
int main(void) {
  {
    int x = 0;
    pthread_create(&t, 0, run, &x);
  }
  go = 1;
  pthread_join(t, 0);
  return 0;
}
