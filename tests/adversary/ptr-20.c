// CAT: ptr
// TRUTH: safe
// ARGS:
// WHY: three levels of pointers where the middle one is moved through the outer one
#include "v.h"

static void move(int ***ppp, int by) {
  *ppp += by;
}

int main(void) {
  int a = 1, b = 2, c = 3;
  int *tab[4] = {&a, &b, &c, &a};
  int **pp = tab;
  int ***ppp = &pp;
  int n = __VERIFIER_nondet_uchar() % 4;
  move(&pp, n);
  ***ppp += 10;
  assert(a + b + c == 16);
  assert((n == 0 || n == 3) == (a == 11));
  move(ppp, 3 - n);
  **pp = 0;
  assert(tab[0][0] == 0 && a == 0);
  assert((*ppp)[-2] == &b && ppp[0][-1][0] == c);
  return 0;
}
