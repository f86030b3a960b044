// CAT: io
// TRUTH: unsafe
// ARGS:
// WHY: %c of a zero stores and counts a zero byte, so the result is longer than strlen.
#include "v.h"
#include <stdio.h>
#include <string.h>

int main(void) {
  char out[8];
  int n = sprintf(out, "%c%c%%", 'a', __VERIFIER_nondet_char());
  assert(n == 3);
  assert(strlen(out) == 3);
  return 0;
}
