// CAT: thread
// TRUTH: unsafe
// WHY: a key that was deleted may be used again.
#include "v.h"
#include <pthread.h>

int main(void) {
  pthread_key_t one, other;
  if (pthread_key_create(&one, 0) || pthread_key_delete(one) || pthread_key_create(&other, 0))
    return 0;
  assert(one != other);
  return 0;
}
