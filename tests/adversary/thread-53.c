// CAT: thread
// TRUTH: unsafe
// ARGS: --property no-data-race
// WHY: printf reads the string that another thread writes.
#include "v.h"

#include <pthread.h>
#include <stdio.h>

char buf[4] = "ab";
void *run(void *u) {
  buf[0] = 'c';
  return 0;
}
int main(void) {
  pthread_t t1;
  pthread_create(&t1, 0, run, 0);
  printf("%s", buf);
  pthread_join(t1, 0);
}
