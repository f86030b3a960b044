// CAT: structval
// TRUTH: unsafe
// ARGS:
// WHY: The copy is made before the member that serves as index in the same statement is changed through an alias.
#include "v.h"

struct link {
  int next;
  int value;
};

int main(void) {
  struct link t[3] = {{1, 10}, {2, 20}, {0, 30}};
  struct link *p = &t[__VERIFIER_nondet_uint() % 3];
  struct link *q = &t[p->next];
  struct link old = *p;
  *p = *q;
  *q = old;
  struct link last = t[t[p->next].next];
  t[0] = t[1] = t[2];
  if (p->value == q->value && last.value == 10 && q->next == 1) {
    reach_error();
  }
  return 0;
}
