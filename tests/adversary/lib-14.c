// CAT: lib
// TRUTH: unsafe
// ARGS:
// WHY: the format is a variable, and asks for what was printed to be counted.
#include "v.h"
#include <stdio.h>

int main(void) {
  const char *formats[] = {"%d\n", "%d: %n\n"};
  int which = __VERIFIER_nondet_int() != 0, counted = 9;
  printf(formats[which], 5, &counted);
  assert(counted == 9);
  return 0;
}
