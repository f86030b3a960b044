// CAT: lib
// TRUTH: safe
// ARGS:
// WHY: equal seeds give equal rows of numbers.
#include "v.h"
#include <stdlib.h>

int main(void) {
  srand(5);
  int first = rand();
  srand(5);
  assert(rand() == first);
  return 0;
}
