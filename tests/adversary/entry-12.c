// CAT: entry
// TRUTH: unsafe
// ARGS: --property memory-safety --function one_of_two
// WHY: one of two objects is returned, the other one may be lost.
#include <stdlib.h>

char *one_of_two(int which) {
  char *one = malloc(8), *two = malloc(4);
  if (which != 3)
    free(two);
  return one;
}
