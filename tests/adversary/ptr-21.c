// CAT: ptr
// TRUTH: safe
// ARGS:
// WHY: a pointer into a literal is equal to itself, wherever equal literals lie.
#include "v.h"
#include <stdlib.h>

int main(void) {
  char *end;
  const char *text = __VERIFIER_nondet_bool() ? "12x" : "34y";
  strtol(text, &end, 10);
  assert(end == text + 2);
  return 0;
}
