// CAT: ub
// TRUTH: safe
// ARGS:
// WHY: the operators && and the comma order their sides, and short operands are divided as int, so nothing overflows.
#include "v.h"

int main(void) {
  int i = 1;
  int both = i++ && i == 2;
  assert(both);
  i = (i++, i + 1);
  assert(i == 4);
  short a = __VERIFIER_nondet_short();
  short b = __VERIFIER_nondet_short();
  if (b != 0) {
    int q = a / b;
    assert(q <= 32768);
    assert(q >= -32768);
  }
  signed char c = (signed char)__VERIFIER_nondet_int();
  assert(-c + c == 0);
  return 0;
}
