// CAT: fptr
// CAT: fptr
// TRUTH: safe
// ARGS:
// WHY: the functions replace the pointer through which they are called, so the first one runs at most once
#include "v.h"

static int setups, uses;
static int first(int x);
static int (*current)(int) = first;

static int second(int x) {
  uses++;
  return x + setups;
}

static int first(int x) {
  setups++;
  current = second;
  return current(x);
}

int main(void) {
  unsigned n = __VERIFIER_nondet_uchar() % 6;
  int x = 0;
  for (unsigned i = 0; i < n; i++)
    x = current(x);
  assert(setups == (n > 0));
  assert(uses == (int)n && x == (int)n);
  return 0;
}
