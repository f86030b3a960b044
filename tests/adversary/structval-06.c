// CAT: structval
// TRUTH: unsafe
// ARGS:
// WHY: After s = step(&s) the changes made through the pointer are lost, only the returned copy stays.
#include "v.h"

struct big {
  int a[6];
  float f;
};

static struct big step(struct big *p) {
  struct big r = *p;
  p->a[0] = 99;
  r.a[1] = p->a[0] + 1;
  p->f = 2.5f;
  return r;
}

int main(void) {
  struct big s = {{__VERIFIER_nondet_int(), 0}, 1.5f};
  int old = s.a[0];
  s = step(&s);
  if (s.a[0] != 99 && s.a[0] == old && s.a[1] == 100 && s.f == 1.5f) {
    reach_error();
  }
  return 0;
}
