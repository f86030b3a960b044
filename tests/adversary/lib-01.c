// CAT: lib
// TRUTH: unsafe
// ARGS:
// WHY: a comparison whose difference overflows puts nothing in order
#include "v.h"
#include <stdlib.h>

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void) {
  int numbers[3] = {2000000000, 0, -2000000000};
  qsort(numbers, 3, sizeof(int), compare);
  if (numbers[0] != 0)
    reach_error();
  return 0;
}
