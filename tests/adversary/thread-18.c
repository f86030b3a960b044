// CAT: thread
// TRUTH: safe
// ARGS: --property no-data-race
// WHY: main reads what the thread wrote when that has ended.
#include "v.h"

#include <pthread.h>

int value;
static void *set(void *unused) {
  value = 1;
  return 0;
}
int main(void) {
  pthread_t thread;
  value = 2;
  pthread_create(&thread, 0, set, 0);
  pthread_join(thread, 0);
  return value;
}
