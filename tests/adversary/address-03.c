// CAT: address
// TRUTH: unsafe
// ARGS:
// WHY: a character may lie at any address, also for a signed remainder.
#include "v.h"

int main(void) {
  char here;
  if ((long)&here % 4 == 0)
    return 0;
  reach_error();
  return 0;
}
