// CAT: env
// TRUTH: unsafe
// ARGS: -- -DNDEBUG
// WHY: with NDEBUG an assert disappears together with its side effect.
#include "v.h"

int main(void) {
  int attempts = 0;
  assert(++attempts == 1);
  if (attempts != 1)
    reach_error();
  return 0;
}
