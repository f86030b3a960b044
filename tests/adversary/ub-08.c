// CAT: ub
// TRUTH: unsafe
// ARGS:
// WHY: the index one behind the array reads the next member, which no loop over the array would expect.
#include "v.h"

struct table {
  int cells[4];
  int key;
};

int main(void) {
  struct table t = {{1, 2, 3, 4}, 99};
  unsigned i = __VERIFIER_nondet_uint();
  __VERIFIER_assume(i <= sizeof t.cells / sizeof t.cells[0]);
  if (t.cells[i] == 99)
    reach_error();
  return 0;
}
