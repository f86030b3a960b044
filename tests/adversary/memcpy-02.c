// CAT: memcpy
// TRUTH: safe
// ARGS:
// WHY: A pointer is put together from the low byte of one and the high bytes of another pointer into the same aligned array.
#include "v.h"
#include <string.h>

int main(void) {
  _Alignas(16) char a[16];
  for (int i = 0; i < 16; i++) {
    a[i] = i;
  }
  unsigned int x = __VERIFIER_nondet_uint() % 16;
  unsigned int y = __VERIFIER_nondet_uint() % 16;
  char *p = a + x;
  char *q = a + y;
  memcpy(&p, &q, 1);
  assert(p == q);
  assert(*p == (char)y);
  return 0;
}
