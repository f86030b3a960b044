// CAT: lib
// TRUTH: unsafe
// ARGS:
// WHY: posix_memalign refuses an alignment that is none
#include "v.h"
#include <stdlib.h>

int main(void) {
  void *place;
  if (posix_memalign(&place, 3, 8) != 0)
    reach_error();
  return 0;
}
