// CAT: thread
// TRUTH: unsafe
// ARGS: --property no-data-race
// WHY: a structure that is a variable argument is read where the call is.
#include "v.h"

#include <pthread.h>

struct s {
  long a[4];
} g;
int f(int n, ...) { return n; }
void *run(void *u) {
  g.a[1] = 2;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  int r = f(1, g);
  pthread_join(t, 0);
  return r;
}
