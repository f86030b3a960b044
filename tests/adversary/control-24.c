// CAT: control
// TRUTH: unsafe
// ARGS:
// WHY: an argument of 128 bits takes two registers wherever they are, but on the stack it is aligned
#include "v.h"
#include <stdarg.h>

static long second(int first, ...) {
  va_list list;
  va_start(list, first);
  int one = va_arg(list, int);
  __int128 wide = va_arg(list, __int128);
  va_end(list);
  return one + (long)wide;
}

int main(void) {
  long sum = second(0, 1, (__int128)2);
  if (sum == 3)
    reach_error();
  return 0;
}
