// CAT: int
// TRUTH: unsafe
// ARGS:
// WHY: a difference of small numbers without sign does not fit if it is below zero.
#include "v.h"

int main(void) {
  unsigned long a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar(), result;
  if (__builtin_usubl_overflow((unsigned char)a, (unsigned char)b, &result) && result == -3ul)
    reach_error();
  return 0;
}
