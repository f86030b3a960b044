// CAT: thread
// TRUTH: unsafe
// ARGS: --property memory-safety --target thread-32.c:22
// WHY: more threads than are looked at lead to a call of the library, which is one step.
#include "v.h"

#include <pthread.h>
#include <string.h>

static int started;
static char small[2];
static void *work(void *unused) { return 0; }

int main(void) {
  int count = __VERIFIER_nondet_int();
  for (int i = 0; i < count; i++) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    started++;
  }
  if (started == 9)
    strcpy(small, "abc");
  return 0;
}
