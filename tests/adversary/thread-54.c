// CAT: thread
// TRUTH: unsafe
// ARGS: --property no-data-race
// WHY: write reads the bytes that another thread writes.
#include "v.h"

#include <pthread.h>
#include <unistd.h>

char b[4];
void *run(void *u) {
  b[1] = 2;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  write(1, b, 4);
  pthread_join(t, 0);
  return 0;
}
