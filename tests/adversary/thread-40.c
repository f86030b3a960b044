// CAT: thread
// TRUTH: unsafe
// ARGS: --property memory-safety
// WHY: the same with a thread of C11.
#include "v.h"

#include <threads.h>

int run(void *u) { return *(int *)u; }
static thrd_t begin(int v) {
  thrd_t t;
  int arg = v;
  thrd_create(&t, run, &arg);
  return t;
}
int main(void) {
  thrd_t t = begin(4);
  int r;
  thrd_join(t, &r);
  return 0;
}
