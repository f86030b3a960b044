// CAT: thread
// TRUTH: safe
// WHY: one function creates a thread in each of its four calls.
#include "v.h"

#include <pthread.h>
#include <stdatomic.h>

atomic_int sum;
pthread_t t[4];
int n;
void *run(void *u) {
  sum += (long)u;
  return 0;
}
void start(long k) { pthread_create(&t[n++], 0, run, (void *)k); }
int main(void) {
  start(1);
  start(2);
  start(3);
  start(4);
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], 0);
  assert(sum == 10);
  return 0;
}
