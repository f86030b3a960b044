// CAT: thread
// TRUTH: safe
// ARGS: --property no-data-race
// WHY: each thread has an element of its own.
#include "v.h"

#include <pthread.h>

int values[4];
static void *set(void *given) {
  values[given != 0] = 1;
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, set, values);
  values[0] = 2;
  pthread_join(a, 0);
  return 0;
}
