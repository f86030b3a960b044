// CAT: optlevel
// TRUTH: safe
// ARGS: -- -O2
// WHY: The division sits behind a short-circuit test and may not be hoisted over it, although the select looks eager.
#include "v.h"

int main(void) {
  int a = __VERIFIER_nondet_int();
  int d = __VERIFIER_nondet_char();
  int shift = __VERIFIER_nondet_int();
  _Bool small = d != 0 && d != -1 && a / d < 10;
  _Bool set = shift >= 0 && shift < 32 && ((unsigned int)a >> shift & 1);
  _Bool both = small & set;
  if (both) {
    assert(d != 0);
    assert(a != 0);
    assert(shift < 32);
  }
  assert(!small || d != -1);
  assert(both || !small || !set);
  return 0;
}
