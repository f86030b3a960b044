// CAT: control
// CAT: control
// TRUTH: safe
// ARGS:
// WHY: exit in the depth of a recursion ends everything but the handlers, so the loop is not continued
#include "v.h"
#include <stdlib.h>

static int depth, deepest;

static void check(void) {
  assert(depth == deepest || depth == 0);
}

static void descend(unsigned bits) {
  deepest = ++depth;
  if (depth == 4)
    exit(depth);
  if (bits & 1)
    descend(bits >> 1);
  depth--;
}

int main(void) {
  atexit(check);
  unsigned bits = __VERIFIER_nondet_uint();
  for (int i = 0; i < 3; i++) {
    descend(bits);
    if ((bits & 7) == 7)
      reach_error();
  }
  return 0;
}
