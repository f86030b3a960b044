// CAT: ptr
// TRUTH: safe
// ARGS:
// WHY: arithmetic on the integer member of a union moves the pointer member by bytes and not by elements
#include "v.h"
#include <stdint.h>

union word {
  short *p;
  uintptr_t i;
  unsigned char byte[8];
};

int main(void) {
  short a[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  union word w;
  w.p = a;
  unsigned n = __VERIFIER_nondet_uchar() & 7;
  w.i += n;
  w.i += n;
  assert(*w.p == (short)n);
  w.i -= 2 * (uintptr_t)n;
  w.p += n / 2;
  assert(w.p == &a[n >> 1]);
  assert(w.i % 2 == 0 && (w.byte[0] & 1) == 0);
  return 0;
}
