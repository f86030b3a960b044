// CAT: io
// TRUTH: safe
// NATIVE: skip
// WHY: what scanf does not count it does not write
#include "v.h"
#include <stdio.h>

int main(void) {
  int x = 5;
  int count = scanf("%d", &x);
  if (count != 1)
    assert(x == 5);
  return 0;
}
