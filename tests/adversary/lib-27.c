// CAT: lib
// TRUTH: safe
// ARGS:
// WHY: what was not counted was not written.
#include "v.h"
#include <stdio.h>

int main(void) {
  int first = 1, second = 2;
  if (scanf("%d %d", &first, &second) == 1)
    assert(second == 2);
  return 0;
}
