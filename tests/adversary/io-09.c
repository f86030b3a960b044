// CAT: io
// TRUTH: unsafe
// ARGS:
// WHY: sscanf returns EOF, not 0, when the text ends before the first conversion.
#include "v.h"
#include <stdio.h>

int main(void) {
  char text[2] = {__VERIFIER_nondet_char(), '\0'};
  int value = 5;
  int n = sscanf(text, "%d", &value);
  if (n == 1)
    assert(value >= 0 && value <= 9);
  else
    assert(n == 0 && value == 5);
  return 0;
}
