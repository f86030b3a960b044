// CAT: io
// TRUTH: unsafe
// ARGS:
// WHY: a number of three letters, the first of them a sign.
#include "v.h"
#include <stdio.h>

int main(void) {
  char text[4] = {__VERIFIER_nondet_char(), __VERIFIER_nondet_char(), __VERIFIER_nondet_char(), 0};
  int number;
  if (sscanf(text, "%d", &number) == 1 && number == -42)
    reach_error();
  return 0;
}
