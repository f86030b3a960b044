// CAT: lib
// TRUTH: unsafe
// ARGS:
// WHY: posix_memalign tells that there is not so much memory, and leaves the pointer alone
#include "v.h"
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  char untouched;
  void *memory = &untouched;
  if (posix_memalign(&memory, 16, SIZE_MAX / 2 + 2) == ENOMEM && memory == &untouched)
    reach_error();
  return 0;
}
