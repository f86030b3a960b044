// CAT: ext
// TRUTH: unsafe
// ARGS:
// NATIVE: skip
// WHY: the name promises a small positive number, but the declaration alone promises nothing, nor the same twice.
#include "v.h"

unsigned any_positive_small(void);

int main(void) {
  unsigned a = any_positive_small();
  unsigned b = any_positive_small();
  if (a == 0 && b > 1000000)
    reach_error();
  return 0;
}
/* EXTERNAL code with which it fails:
unsigned any_positive_small(void) { static unsigned n; unsigned r = n; n += 2000000; return r; }
*/
