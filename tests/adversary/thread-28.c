// CAT: thread
// TRUTH: safe
// WHY: each thread has an array of its own, whose size is known when it runs.
#include "v.h"

#include <pthread.h>

static int zero, turns;
static void *work(void *given) {
  int size = given ? 2 : 3, own[size];
  for (int i = 0; i < size; i++)
    own[i] = size;
  turns++;
  own[1] += zero;
  turns++;
  if (own[1] != size)
    reach_error();
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, &a);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
