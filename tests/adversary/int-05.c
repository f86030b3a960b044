// CAT: int
// TRUTH: safe
// ARGS:
// WHY: -- on a _Bool toggles it (0 - 1 is -1, which converts to 1), while ++ always gives 1.
#include "v.h"

int main(void) {
  _Bool b = __VERIFIER_nondet_bool();
  _Bool old = b;
  b--;
  assert(b == !old);
  b--;
  assert(b == old);
  b++;
  b++;
  b += 255;
  assert(b == 1);
  b *= 256;
  assert(b == 1);
  return 0;
}
