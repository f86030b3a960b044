// CAT: checks
// CAT: checks
// TRUTH: safe
// ARGS: --property no-overflow
// NATIVE: skip
// WHY: the middle and the distance are computed so that no intermediate value overflows for any pair in order
#include "v.h"

int main(void) {
  int lo = __VERIFIER_nondet_int();
  int hi = __VERIFIER_nondet_int();
  if (lo > hi)
    return 0;
  int middle = (lo & hi) + ((lo ^ hi) >> 1);
  unsigned distance = (unsigned)hi - (unsigned)lo;
  int again = lo < 0 && hi >= 0 ? (lo + hi) / 2 : lo + (hi - lo) / 2;
  int up = middle < hi ? middle + 1 : middle;
  int down = middle > lo ? middle - 1 : middle;
  return up > again && down < again && distance > 3;
}
