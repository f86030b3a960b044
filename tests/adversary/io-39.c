// CAT: io
// TRUTH: ub
// ARGS:
// WHY: C does not say which number is read that is too large.
#include "v.h"
#include <stdio.h>

int main(void) {
  int number = 0;
  if (sscanf("99999999999", "%d", &number) == 1)
    assert(number != 5);
  return 0;
}
