// CAT: fptr
// TRUTH: unsafe
// ARGS:
// WHY: a table is patched through a pointer into it, at an index that is input
#include "v.h"

typedef int (*operation)(int);

static int inc(int x) {
  return x + 1;
}

static int dec(int x) {
  return x - 1;
}

static int negate(int x) {
  return -x;
}

static operation table[3] = {inc, dec, inc};

static void patch(operation *entry) {
  *entry = negate;
}

int main(void) {
  int index = __VERIFIER_nondet_int();
  if (index < 0 || index > 2)
    return 0;
  patch(table + index);
  assert(table[1](3) == 2);
  return 0;
}
