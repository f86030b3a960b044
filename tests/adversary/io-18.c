// CAT: io
// TRUTH: safe
// ARGS:
// WHY: puts may fail, but then its result is EOF and nothing else that is negative; sprintf of "" gives 0.
#include "v.h"
#include <stdio.h>

int main(void) {
  char nothing[1] = "x";
  int r = puts("hello");
  assert(r >= EOF);
  assert(EOF == -1);
  int c = putchar(__VERIFIER_nondet_int());
  assert(c >= -1 && c <= 255);
  assert(sprintf(nothing, "%s", "") == 0);
  assert(nothing[0] == '\0');
  return 0;
}
