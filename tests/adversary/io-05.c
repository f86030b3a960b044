// CAT: io
// TRUTH: unsafe
// ARGS:
// WHY: a negative char is widened with its sign, so %02x writes eight digits instead of two.
#include "v.h"
#include <stdio.h>

int main(void) {
  char data[2] = {__VERIFIER_nondet_char(), __VERIFIER_nondet_char()};
  char hex[20];
  int n = sprintf(hex, "%02x%02x", (unsigned)data[0], (unsigned)data[1]);
  if (n != 4)
    reach_error();
  return 0;
}
