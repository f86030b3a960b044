// CAT: structval
// TRUTH: safe
// ARGS:
// WHY: The compound literal in a loop is made anew at every turn, a static one keeps its value.
#include "v.h"

struct acc {
  int n;
  int a[3];
};

static struct acc *kept = &(struct acc){.a = {4, 5}};

static int bump(struct acc *p) {
  p->n++;
  p->a[p->n] += 10;
  return p->n;
}

int main(void) {
  int turns = __VERIFIER_nondet_uint() % 3;
  for (int i = 0; i < turns; i++) {
    struct acc *p = &(struct acc){.a = {[1] = i}};
    assert(bump(p) == 1);
    assert(p->a[1] == 10 + i && p->a[2] == 0);
    assert(bump(kept) == i + 1);
  }
  assert(kept->a[0] == 4 && kept->n == turns);
  assert(kept->a[1] == (turns > 0 ? 15 : 5));
  return 0;
}
