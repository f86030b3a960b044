// CAT: io
// TRUTH: unsafe
// NATIVE: skip
// WHY: the format of scanf is another one when it is read, and writes what is not counted
#include "v.h"
#include <stdio.h>

static char format[] = "%d%d";

int main(void) {
  int x = 5, y = 6;
  format[1] = 'n';
  if (scanf(format, &x, &y) == 0)
    assert(x == 5);
  return 0;
}
