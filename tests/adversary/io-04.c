// CAT: io
// TRUTH: unsafe
// ARGS:
// WHY: an int has at most ten decimal digits, but the minus sign makes eleven characters.
#include "v.h"
#include <stdio.h>

int main(void) {
  char buffer[16];
  int n = sprintf(buffer, "%d", __VERIFIER_nondet_int());
  assert(n >= 1 && n <= 10);
  return 0;
}
