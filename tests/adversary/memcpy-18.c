// CAT: memcpy
// TRUTH: unsafe
// ARGS:
// WHY: Copies of struct elements through a byte offset that is no multiple of the size mix the members of two elements.
#include "v.h"
#include <string.h>

struct p {
  short x;
  short y;
};

int main(void) {
  struct p a[3] = {{1, 2}, {3, 4}, {5, 6}};
  struct p t;
  unsigned int off = __VERIFIER_nondet_uint() % 9;
  memcpy(&t, (char *)a + off, sizeof t);
  if (t.x == 4 && t.y == 5) {
    a[0] = t;
    memcpy(&a[1], (char *)a + 1, 3);
    if (a[1].x == 0x0500) {
      reach_error();
    }
  }
  return 0;
}
