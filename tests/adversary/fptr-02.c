// CAT: fptr
// CAT: fptr
// TRUTH: unsafe
// ARGS:
// WHY: two names of functions have the same address because one is an alias of the other
#include "v.h"

int plain(int x) {
  return x + 1;
}

int other(int x) __attribute__((alias("plain")));

int another(int x) {
  return x + 1;
}

int main(void) {
  int (*volatile table[3])(int) = {plain, another, other};
  unsigned i = __VERIFIER_nondet_uchar() % 3;
  unsigned j = __VERIFIER_nondet_uchar() % 3;
  if (i < j && table[i] == table[j])
    reach_error();
  return 0;
}
