// CAT: structval
// TRUTH: safe
// ARGS:
// WHY: A function gets its struct by value although it also has a pointer to the original, at sizes of 3, 16 and 40 bytes.
#include "v.h"

struct a3 {
  char c[3];
};

struct a16 {
  double d;
  int i;
};

struct a40 {
  long l[5];
};

static long touch(struct a3 x, struct a16 y, struct a40 z, struct a3 *px, struct a16 *py, struct a40 *pz) {
  px->c[1] = 50;
  py->i = 60;
  pz->l[4] = 70;
  x.c[0]++;
  z.l[0]++;
  return x.c[1] + y.i + z.l[4];
}

int main(void) {
  int n = __VERIFIER_nondet_char();
  struct a3 x = {{1, 2, 3}};
  struct a16 y = {0.5, n};
  struct a40 z = {{1, 2, 3, 4, 5}};
  assert(touch(x, y, z, &x, &y, &z) == 2 + n + 5);
  assert(x.c[0] == 1 && x.c[1] == 50 && y.i == 60 && y.d == 0.5);
  assert(z.l[0] == 1 && z.l[4] == 70);
  return 0;
}
