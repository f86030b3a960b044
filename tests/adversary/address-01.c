// CAT: address
// TRUTH: unsafe
// ARGS:
// WHY: an object may lie below 4 GiB or above.
#include "v.h"

#include <stdlib.h>

static int looks_wrong(const void *p) { return (unsigned long)p > 4294967295UL; }

int main(void) {
  int *p = malloc(sizeof *p);
  if (!p)
    return 0;
  if (!looks_wrong(p))
    return 0;
  reach_error();
  return 0;
}
