// CAT: lib
// TRUTH: safe
// ARGS:
// WHY: a function of the program is what the program says, whatever its name.
#include "v.h"
int isdigit(int c) {
  return c >= '0' && c <= '9';
}

int main(void) {
  assert(isdigit('5') == 1);
  return 0;
}
