// CAT: lib
// TRUTH: unsafe
// ARGS:
// WHY: the difference of two times is exact although neither of them is a double
#include "v.h"
#include <time.h>

int main(void) {
  time_t end = (1L << 53) + 1;
  if (difftime(end, end - 1) == 1)
    reach_error();
  return 0;
}
