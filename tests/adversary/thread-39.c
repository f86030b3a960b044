// CAT: thread
// TRUTH: unsafe
// ARGS: --property memory-safety
// WHY: the function that created the thread returned, and the argument is in its frame.
#include "v.h"

#include <pthread.h>

struct s {
  int a;
  int b;
};
pthread_t t;
void *run(void *u) {
  struct s *s = u;
  int r = s->a + s->b;
  return (void *)(long)r;
}
void start(void) {
  struct s s = {1, 2};
  pthread_create(&t, 0, run, &s);
}
int main(void) {
  start();
  pthread_join(t, 0);
  return 0;
}
