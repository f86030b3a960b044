// CAT: bool
// TRUTH: ub
// ARGS:
// WHY: a _Bool in a union with a number
#include "v.h"
union u { _Bool b[2]; unsigned short n; };
int main(void) {
  union u u; u.n = __VERIFIER_nondet_ushort();
  if (u.n < 512) return 0;
  int k = u.b[1];
  if (k == 0 && (u.n & 256)) reach_error();
  if (k > 1) reach_error();
  return 0;
}
