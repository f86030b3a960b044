// CAT: ptr
// TRUTH: safe
// ARGS:
// WHY: differences of pointers to elements of 12 bytes are exact also if negative, and differ from those in bytes
#include "v.h"
#include <stddef.h>

struct triple {
  int x, y, z;
};

int main(void) {
  struct triple t[6];
  int i = __VERIFIER_nondet_uchar() % 7;
  int j = __VERIFIER_nondet_uchar() % 7;
  struct triple *p = t + i, *q = t + j;
  ptrdiff_t d = p - q;
  assert(d == i - j);
  assert((char *)p - (char *)q == 12 * d);
  assert((&p->x - &q->x) == 3 * d);
  assert((d < 0) == (p < q));
  return 0;
}
