// CAT: lib
// TRUTH: safe
// ARGS:
// WHY: each turn begins the row of numbers again.
#include "v.h"
#include <stdlib.h>

int main(void) {
  int drawn[2];
  for (int i = 0; i < 2; i++) {
    srand(7);
    drawn[i] = rand();
  }
  assert(drawn[0] == drawn[1]);
  return 0;
}
