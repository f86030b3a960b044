// CAT: thread
// TRUTH: unsafe
// WHY: the value of a key in a function that is called through a pointer is that of the thread.
#include "v.h"

#include <pthread.h>

pthread_key_t k;
void *got = (void *)3;
void work(void) { got = pthread_getspecific(k); }
void (*volatile fp)(void) = work;
void *run(void *f) {
  fp();
  return 0;
}
int main(void) {
  pthread_t a;
  int x;
  pthread_key_create(&k, 0);
  pthread_setspecific(k, &x);
  pthread_create(&a, 0, run, 0);
  pthread_join(a, 0);
  assert(got == &x);
}
