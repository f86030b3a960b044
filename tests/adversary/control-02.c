// CAT: control
// CAT: control
// TRUTH: safe
// ARGS:
// WHY: two functions which call each other, with a static counter in one of them that counts over all frames
#include "v.h"

static int calls;
static int odd(unsigned n);

static int even(unsigned n) {
  static int mine;
  mine++;
  calls = mine;
  return n == 0 ? 1 : odd(n - 1);
}

static int odd(unsigned n) {
  return n == 0 ? 0 : even(n - 1);
}

int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 14;
  assert(even(n) == (n % 2 == 0));
  assert(calls == (int)(n / 2 + 1));
  assert(odd(n) != even(n));
  return 0;
}
