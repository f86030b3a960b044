// CAT: structval
// TRUTH: unsafe
// ARGS:
// WHY: An enum without negative enumerators keeps its top bit in a 2-bit field, one with a negative enumerator does not.
#include "v.h"

enum plain { P0, P1, P2, P3 };
enum with_negative { MINUS = -1, ZERO, ONE, TWO };

struct fields {
  enum plain p : 2;
  enum with_negative n : 2;
};

int main(void) {
  struct fields f;
  unsigned int v = __VERIFIER_nondet_uint() % 3;
  f.p = v + 1;
  f.n = v;
  assert(f.p == v + 1);
  if (f.n != (int)v) {
    reach_error();
  }
  return 0;
}
