// CAT: control
// CAT: control
// TRUTH: unsafe
// ARGS:
// WHY: sizeof evaluates its operand if that is a variable length array type
#include "v.h"

int main(void) {
  int n = __VERIFIER_nondet_uchar() % 4 + 1;
  int m = n;
  unsigned long a = sizeof(n++);
  unsigned long b = sizeof(char[n++]);
  if (a == 4 && b == (unsigned long)m && n == m + 1)
    reach_error();
  return 0;
}
