// CAT: str
// TRUTH: unsafe
// ARGS:
// WHY: bsearch returns any of the equal elements; glibc starts in the middle and does not give the first.
#include "v.h"
#include <stdlib.h>

static int compare(const void *a, const void *b) {
  int x = *(const int *)a;
  int y = *(const int *)b;
  return (x > y) - (x < y);
}

int main(void) {
  int values[5] = {1, 4, 4, 4, 9};
  int wanted = 4;
  int *found = bsearch(&wanted, values, 5, sizeof values[0], compare);
  if (found != NULL && found - values != 1)
    reach_error();
  return 0;
}
