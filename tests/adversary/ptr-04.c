// CAT: ptr
// TRUTH: unsafe
// ARGS:
// WHY: the pointer one past a member array has the address of the next member, although it is not a pointer to it
#include "v.h"

struct pair {
  int a[3];
  int b;
};

static int same(int *p, int *q) {
  return p == q;
}

int main(void) {
  struct pair s = {{1, 2, 3}, 4};
  unsigned n = __VERIFIER_nondet_uchar() % 4;
  if (same(s.a + n, &s.b))
    reach_error();
  return 0;
}
