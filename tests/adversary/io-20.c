// CAT: io
// TRUTH: unsafe
// ARGS:
// WHY: putchar returns the character as an unsigned char, so a negative char does not come back.
#include "v.h"
#include <stdio.h>

int main(void) {
  char c = __VERIFIER_nondet_char();
  int r = putchar(c);
  if (r != EOF && r != c)
    reach_error();
  return 0;
}
