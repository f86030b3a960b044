// CAT: env
// TRUTH: safe
// ARGS: -- -DNDEBUG
// WHY: each inclusion of assert.h looks at NDEBUG anew: the wrong assert is off and the right one is on.
#include "v.h"

int main(void) {
  int x = __VERIFIER_nondet_int();
  assert(x != 7);
#undef NDEBUG
#include <assert.h>
  x &= 7;
  assert(x <= 7);
#define NDEBUG
#include <assert.h>
  assert(x > 7);
  return 0;
}
