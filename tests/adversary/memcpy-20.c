// CAT: memcpy
// TRUTH: unsafe
// ARGS:
// WHY: Single bytes written through char pointers at an input index meet the cells of an int, a short and padding.
#include "v.h"
#include <string.h>

struct mixed {
  int i;
  char c;
  short s;
  long l;
};

int main(void) {
  struct mixed m = {0, 0, 0, 0};
  struct mixed n[2];
  unsigned char *p = (unsigned char *)&m;
  unsigned int k = __VERIFIER_nondet_uint() % sizeof m;
  p[k] = 1;
  p[sizeof m - 1 - k] = 0x80;
  n[0] = m;
  memcpy(n + 1, n, sizeof m);
  if (n[1].s == 0x0100 && n[1].l == 128) {
    reach_error();
  }
  return 0;
}
