// CAT: thread
// TRUTH: safe
// WHY: what a thread returns is what its own function returned.
#include "v.h"

#include <pthread.h>

static void *work(void *given) { return given; }
int main(void) {
  pthread_t a, b;
  int one, two;
  void *first, *second;
  pthread_create(&a, 0, work, &one);
  pthread_create(&b, 0, work, &two);
  pthread_join(b, &second);
  pthread_join(a, &first);
  if (first != &one || second != &two)
    reach_error();
  return 0;
}
