// CAT: ptr
// TRUTH: safe
// ARGS:
// WHY: a pointer whose bytes are stored in reverse order and reassembled still points to the object it pointed to
#include "v.h"

int main(void) {
  int a = 1, b = 2;
  int *p = __VERIFIER_nondet_bool() ? &a : &b;
  unsigned char bytes[sizeof p];
  for (unsigned i = 0; i < sizeof p; i++)
    bytes[sizeof p - 1 - i] = ((unsigned char *)&p)[i];
  int *q = 0;
  for (unsigned i = 0; i < sizeof q; i++)
    ((unsigned char *)&q)[i] = bytes[sizeof q - 1 - i];
  *q = 9;
  if (p == &a)
    assert(a == 9 && b == 2);
  else
    assert(a == 1 && b == 9);
  return 0;
}
