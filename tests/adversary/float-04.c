// CAT: float
// TRUTH: safe
// ARGS:
// WHY: long double has a 64-bit significand, so every unsigned long survives, its half too.
#include "v.h"

int main(void) {
  unsigned long u = __VERIFIER_nondet_ulong();
  long double l = u;
  assert((unsigned long)l == u);
  l /= 2;
  assert(l * 2 == u);
  assert((l + l == (double)u) == ((unsigned __int128)(double)u == u));
  return 0;
}
