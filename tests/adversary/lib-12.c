// CAT: lib
// TRUTH: unsafe
// ARGS:
// WHY: a time so late that an int does not hold its year has no date
#include "v.h"
#include <limits.h>
#include <time.h>

int main(void) {
  time_t late = LONG_MAX;
  if (gmtime(&late) == 0)
    reach_error();
  return 0;
}
