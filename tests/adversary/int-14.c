// CAT: int
// TRUTH: safe
// ARGS:
// WHY: sizeof evaluates its operand only if that has a variable length array type.
#include "v.h"

int main(void) {
  int n = __VERIFIER_nondet_uchar() % 7 + 1;
  int i = n;
  unsigned long a = sizeof(i++);
  unsigned long b = sizeof(char[i++]);
  unsigned long c = sizeof(char(*)[i++ * 0 + 3]);
  assert(a == 4);
  assert(b == (unsigned long)n);
  assert(c == 8);
  assert(i == n + 1 || i == n + 2);
  return 0;
}
