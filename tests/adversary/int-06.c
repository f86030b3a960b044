// CAT: int
// TRUTH: unsafe
// ARGS:
// WHY: An enum without negative enumerators is unsigned for clang, so e - 1 wraps to a huge value for the first one.
#include "v.h"

enum colour { RED, GREEN, BLUE };

int main(void) {
  enum colour e = RED;
  if (__VERIFIER_nondet_bool()) {
    e = BLUE;
  }
  if (e - 1 > 5) {
    reach_error();
  }
  return 0;
}
