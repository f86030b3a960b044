// CAT: thread
// TRUTH: unsafe
// ARGS: --property no-data-race
// WHY: an atomic read of a structure writes its copy as any other code.
#include "v.h"

#include <pthread.h>
#include <stdatomic.h>

struct s {
  long a, b, c, d;
};
struct s x, y;
void *run(void *u) {
  struct s e;
  __atomic_load(&x, &y, 5);
  return 0;
}
int main(void) {
  pthread_t t1, t2;
  pthread_create(&t1, 0, run, 0);
  y.a = 3;
  pthread_join(t1, 0);
}
