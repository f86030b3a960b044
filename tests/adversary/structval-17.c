// CAT: structval
// TRUTH: safe
// ARGS:
// WHY: Vector values: a comparison gives -1 per lane, and vectors inside structs are passed and returned by value.
#include "v.h"

typedef int v4 __attribute__((vector_size(16)));

struct holder {
  char c;
  v4 v;
};

static struct holder shift(struct holder h, v4 by) {
  h.v = h.v + by;
  h.c++;
  return h;
}

int main(void) {
  int n = __VERIFIER_nondet_short();
  struct holder h = {1, {n, 2, n, 4}};
  struct holder r = shift(h, (v4){1, 1, 0, -4});
  v4 same = h.v == r.v;
  unsigned int k = __VERIFIER_nondet_uint() % 4;
  assert(sizeof h == 32 && h.c == 1 && r.c == 2);
  assert(same[k] == (k == 2 ? -1 : 0));
  assert(r.v[0] == n + 1 && r.v[3] == 0);
  v4 mixed = __builtin_shufflevector(h.v, r.v, 0, 4, 3, 7);
  assert(mixed[1] - mixed[0] == 1 && mixed[2] == 4 && mixed[3] == 0);
  return 0;
}
