// CAT: thread
// TRUTH: unsafe
// ARGS: --property no-data-race
// WHY: write reads each member of a structure.
#include "v.h"

#include <pthread.h>
#include <unistd.h>

static struct {
  int number;
  char first, second;
} both;
static void *set(void *unused) {
  both.second = 1;
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, set, 0);
  write(1, &both, sizeof both);
  pthread_join(thread, 0);
  return 0;
}
