// CAT: lib
// TRUTH: unsafe
// ARGS:
// WHY: how often elements are compared is open, also for one who sorts through a pointer.
#include "v.h"
#include <stdlib.h>

static int compared;

static int order(const void *a, const void *b) {
  compared++;
  return *(const char *)a - *(const char *)b;
}

int main(void) {
  void (*sort)(void *, size_t, size_t, int (*)(const void *, const void *)) = qsort;
  char letters[4] = {4, 3, 2, 1};
  sort(letters, 4, 1, order);
  assert(compared == 6);
  return 0;
}
