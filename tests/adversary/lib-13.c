// CAT: lib
// TRUTH: unsafe
// ARGS:
// WHY: what is not zero is true, and need not be 1, through a pointer as well as by name; the library gives a bit of a table.
#include "v.h"
#include <ctype.h>

int main(void) {
  static int (*const tests[])(int) = {isdigit, isupper};
  int c = tests[1]('A');
  assert(c == 0 || c == 1);
  return 0;
}
