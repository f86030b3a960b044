// CAT: lib
// TRUTH: unsafe
// ARGS:
// WHY: the library does not call a function of the program that has the name of one of its own.
#include "v.h"
#include <stdlib.h>

int isdigit(int c) {
  return c == 'x';
}

int main(void) {
  assert(atoi("12") == 0 && isdigit('x'));
  return 0;
}
