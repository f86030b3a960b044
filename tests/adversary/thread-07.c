// CAT: thread
// TRUTH: unsafe
// WHY: what ends the program does so after the other thread saw what was written before.
#include "v.h"

#include <pthread.h>

#include <stdlib.h>
int set;
static void *work(void *unused) {
  if (set)
    reach_error();
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  set = 1;
  exit(0);
}
