// CAT: control
// CAT: control
// TRUTH: ub
// ARGS:
// WHY: the address of a local outlives it inside of a struct, and the next call overwrites what is there
#include "v.h"

struct view {
  const int *data;
  int length;
};

static struct view make(int x) {
  int local[2] = {x, x + 1};
  struct view v = {local, 2};
  return v;
}

int main(void) {
  struct view a = make(1);
  struct view b = make(__VERIFIER_nondet_uchar());
  int first = a.data[0];
  assert(first == 1 && b.length == 2);
  return 0;
}
