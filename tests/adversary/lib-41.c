// CAT: lib
// TRUTH: safe
// ARGS:
// NATIVE: skip
// WHY: newer headers give strtol another name, by which numbers may begin with 0b where the base is 0 or 2.
#include "v.h"
#include <stdlib.h>

extern long number(const char *text, char **end, int base) __asm__("__isoc23_strtol");

int main(void) {
  char *end;
  assert(number("0b101x", &end, 0) == 5 && *end == 'x');
  assert(number("-0B11", &end, 2) == -3 && !*end);
  assert(number("0b2", &end, 0) == 0 && *end == 'b');
  assert(number("0b1", &end, 16) == 0xb1 && !*end);
  assert(strtol("0b1", &end, 0) == 0 && *end == 'b');
  return 0;
}
