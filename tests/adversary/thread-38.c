// CAT: thread
// TRUTH: unsafe
// ARGS: --property memory-safety
// WHY: each turn of the loop has a variable of its own, and threads outlive it.
#include "v.h"

#include <pthread.h>

void *run(void *u) {
  *(int *)u = 1;
  return 0;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) {
    int x = i;
    pthread_create(&t[i], 0, run, &x);
  }
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  return 0;
}
