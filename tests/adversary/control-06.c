// CAT: control
// CAT: control
// TRUTH: safe
// ARGS:
// WHY: the size of a variable length array is fixed when it is declared, and operands of sizeof and _Generic are not run
#include "v.h"

static int ran;

static int run(void) {
  ran = 1;
  return 0;
}

int main(void) {
  int n = __VERIFIER_nondet_uchar() % 5 + 1;
  int before = n;
  int a[n];
  typedef char text[n * 2];
  n = 100;
  text t;
  assert(sizeof a == before * sizeof(int));
  assert(sizeof t == before * 2u);
  assert(sizeof(run()) == 4 && _Generic(run(), int: 7, default: 8) == 7);
  assert(sizeof(a[run()]) == 4 && !ran);
  return 0;
}
