// CAT: lib
// TRUTH: unsafe
// ARGS:
// WHY: strtol does not set the end for a base that there is not
#include "v.h"
#include <stdlib.h>

int main(void) {
  char *end = 0;
  strtol("12", &end, 1);
  if (!end)
    reach_error();
  return 0;
}
