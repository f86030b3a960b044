// CAT: optlevel
// TRUTH: unsafe
// ARGS: -- -Os
// WHY: The search for a character in a constant string becomes a bit test; the terminating zero belongs to it too.
#include "v.h"
#include <string.h>

int main(void) {
  char c = __VERIFIER_nondet_char();
  if (c == 'x' || c == 'y' || c == 'z') {
    return 0;
  }
  if (strchr("xyz", c) != 0) {
    reach_error();
  }
  return 0;
}
