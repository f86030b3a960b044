// CAT: fptr
// CAT: fptr
// TRUTH: safe
// ARGS:
// WHY: the cleanup function runs after the returned value has been read from the variable it clears
#include "v.h"

static int cleared;

static void clear(int *p) {
  cleared += *p;
  *p = 0;
}

static int value(int x) {
  int v __attribute__((cleanup(clear))) = x;
  int w __attribute__((cleanup(clear))) = v + 1;
  if (x > 5)
    return w;
  return v;
}

int main(void) {
  int x = __VERIFIER_nondet_uchar();
  int (*f)(int) = value;
  int r = f(x);
  assert(r == (x > 5 ? x + 1 : x));
  assert(cleared == 2 * x + 1);
  return 0;
}
