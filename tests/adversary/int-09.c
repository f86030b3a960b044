// CAT: int
// TRUTH: safe
// ARGS:
// WHY: The overflow builtin works on mathematical integers: a signed and an unsigned operand mix without conversion.
#include "v.h"

int main(void) {
  int i = __VERIFIER_nondet_int();
  unsigned int u = __VERIFIER_nondet_uint();
  signed char c;
  unsigned long long r;
  long long exact = (long long)i + u;
  assert(__builtin_add_overflow(i, u, &r) == (exact < 0));
  assert(r == (unsigned long long)exact);
  assert(__builtin_add_overflow(i, u, &c) == (exact < -128 || exact > 127));
  assert(c == (signed char)exact);
  return 0;
}
