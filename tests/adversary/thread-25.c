// CAT: thread
// TRUTH: unsafe
// ARGS: -- -g0
// WHY: a static function without debug information is none of the library's, and no step.
#include "v.h"

#include <pthread.h>

static int count;
static void add(void) { count++; }
static void *work(void *unused) {
  add();
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (count != 2)
    reach_error();
  return 0;
}
