// CAT: thread
// TRUTH: safe
// WHY: threads that call a function through a pointer have its variables each.
#include "v.h"

#include <pthread.h>

static int turns;
static void keep(int value) {
  int own[2], at = value > 0;
  own[at] = value;
  turns++;
  if (own[at] != value)
    reach_error();
}
static void (*called)(int) = keep;
static void *work(void *given) {
  called(given ? 7 : 5);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, &a);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
