// CAT: io
// TRUTH: unsafe
// NATIVE: skip
// WHY: what scanf counts is any number
#include "v.h"
#include <stdio.h>

int main(void) {
  int x = 5, y = 6;
  if (scanf("%d %d", &x, &y) == 2)
    assert(x != 77 || y != -3);
  return 0;
}
