// CAT: checks
// CAT: checks
// TRUTH: unsafe
// ARGS: --property bounds
// NATIVE: skip
// WHY: the inner index leaves its row although the element is still inside of the whole array
#include "v.h"

int main(void) {
  int m[3][5] = {{0}};
  unsigned k = __VERIFIER_nondet_uint() % 12;
  return m[k / 6][k % 6];
}
