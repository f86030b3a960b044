// CAT: memcpy
// TRUTH: unsafe
// ARGS:
// WHY: The bytes of a function pointer are swapped byte by byte with those of another one.
#include "v.h"

static int add(int a, int b) {
  return a + b;
}

static int mul(int a, int b) {
  return a * b;
}

int main(void) {
  int (*f[2])(int, int) = {add, mul};
  unsigned char *p = (unsigned char *)f;
  unsigned int n = __VERIFIER_nondet_uint() % 2 * 8;
  for (unsigned int i = 0; i < n; i++) {
    unsigned char t = p[i];
    p[i] = p[i + sizeof f[0]];
    p[i + sizeof f[0]] = t;
  }
  if (f[0](2, 3) == 6 && f[1](2, 3) == 5) {
    reach_error();
  }
  return 0;
}
