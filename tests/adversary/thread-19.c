// CAT: thread
// TRUTH: unsafe
// ARGS: --property no-data-race
// WHY: the elements are two, and one of them is that of the other thread, too.
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
  values[1] = 2;
  pthread_join(a, 0);
  return 0;
}
