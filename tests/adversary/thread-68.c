// CAT: thread
// TRUTH: unsafe
// ARGS: --property no-data-race
// WHY: perror and system may be given a null pointer, and what follows them is reached.
#include "v.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int count;
static void *add(void *unused) {
  count++;
  return 0;
}
int main(void) {
  pthread_t thread;
  const char *volatile none = 0;
  pthread_create(&thread, 0, add, 0);
  perror(none);
  system(none);
  count++;
  pthread_join(thread, 0);
  return 0;
}
