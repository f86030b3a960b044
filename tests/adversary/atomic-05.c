// CAT: atomic
// TRUTH: safe
// ARGS: --property unreach-call,no-data-race
// WHY: atomic accesses of a structure are no race, and no thread sees half of one.
#include "v.h"
#include <pthread.h>

struct pair {
  long first, second;
};
static _Atomic struct pair shared;

static void *set(void *unused) {
  struct pair ones = {1, 1};
  shared = ones;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, set, 0);
  struct pair seen = shared;
  pthread_join(thread, 0);
  if (seen.first != seen.second)
    reach_error();
  return 0;
}
