// CAT: lib
// TRUTH: unsafe
// ARGS:
// WHY: printf writes where its format says so
#include "v.h"
#include <stdio.h>

int main(void) {
  int count = 0;
  printf("abc%n", &count);
  if (count == 3)
    reach_error();
  return 0;
}
