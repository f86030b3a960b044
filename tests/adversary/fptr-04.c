// CAT: fptr
// CAT: fptr
// TRUTH: safe
// ARGS:
// WHY: a function pointer cast to another type, taken to bytes and back is called by its own type again
#include "v.h"
#include <string.h>

typedef void (*generic)(void);

static double half(double x, int sign) {
  return sign * (x / 2);
}

static int twice(int x) {
  return x * 2;
}

static generic choose(int k) {
  return k ? (generic)half : (generic)twice;
}

int main(void) {
  int k = __VERIFIER_nondet_bool();
  generic g = choose(k);
  unsigned char bytes[sizeof g + 1];
  memcpy(bytes + 1, &g, sizeof g);
  generic back = 0;
  assert(back == 0);
  memmove(&back, bytes + 1, sizeof back);
  assert(back == g);
  if (k)
    assert(((double (*)(double, int))back)(3.0, -1) == -1.5);
  else
    assert(((int (*)(int))back)(21) == 42);
  return 0;
}
