// CAT: lib
// TRUTH: safe
// ARGS:
// WHY: the format is a variable, and does not count.
#include "v.h"
#include <stdio.h>

int main(void) {
  const char *formats[] = {"%d\n", "%d: %p\n"};
  int which = __VERIFIER_nondet_int() != 0, counted = 9;
  printf(formats[which], 5, (void *)&counted);
  assert(counted == 9);
  return 0;
}
