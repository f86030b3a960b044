// CAT: thread
// TRUTH: ub
// ARGS:
// WHY: a thread-local variable ends with its thread
#include "v.h"
#include <pthread.h>
static _Thread_local int t = 5; static int *at;
static void *f(void *a) { at = &t; *at = 3; return a; }
int main(void) {
  pthread_t p;
  if (pthread_create(&p, 0, f, 0)) return 0;
  pthread_join(p, 0);
  if (*at != 3) reach_error();
  return 0;
}
