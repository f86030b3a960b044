// CAT: thread
// TRUTH: unsafe
// ARGS: --property no-data-race
// WHY: what a function of the library prints or takes for a name is read, also up to a precision or at a position.
#include "v.h"
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static char name[4] = "abc";
static void *run(void *given) {
  name[0] = 'x';
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  if (__VERIFIER_nondet_int())
    printf("%2$.2s %1$d", 5, name);
  return access("there", F_OK);
}
