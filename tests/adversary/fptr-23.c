// CAT: fptr
// TRUTH: unsafe
// ARGS:
// WHY: half of a table of functions is copied over from another one
#include "v.h"
#include <string.h>

struct ops {
  int (*up)(int);
  int (*down)(int);
};

static int inc(int x) {
  return x + 1;
}

static int dec(int x) {
  return x - 1;
}

static int twice(int x) {
  return 2 * x;
}

static struct ops plain = {inc, dec}, doubled = {twice, twice};

int main(void) {
  struct ops *used = __VERIFIER_nondet_int() ? &plain : &doubled;
  memcpy(&plain, &doubled, sizeof plain.up);
  assert(used->up(5) == 10);
  assert(used->down(5) == 10);
  return 0;
}
