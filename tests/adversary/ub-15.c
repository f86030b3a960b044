// CAT: ub
// TRUTH: ub
// ARGS:
// WHY: writing into a string literal crashes or, where it works, changes every use of the same literal.
#include "v.h"

static char *greeting(void) { return "hello"; }

int main(void) {
  char *s = greeting();
  if (__VERIFIER_nondet_bool())
    s[0] = 'j';
  assert(greeting()[0] == 'h');
  return 0;
}
