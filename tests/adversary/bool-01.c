// CAT: bool
// TRUTH: ub
// ARGS:
// WHY: two reads of a _Bool that holds 2 need not agree: one compiler looks at the lowest bit, another one at all
#include "v.h"
struct flag { _Bool on; };
static int value(struct flag *f) { return f->on; }
static int branch(struct flag *f) { return f->on ? 1 : 0; }
int main(void) {
  struct flag f;
  *(unsigned char *)&f = __VERIFIER_nondet_uchar();
  if (value(&f) != branch(&f)) reach_error();
  return 0;
}
