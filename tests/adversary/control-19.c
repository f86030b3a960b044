// CAT: control
// CAT: control
// TRUTH: safe
// ARGS:
// WHY: a loop with two entries, where the sum depends on the entry by which it was come into
#include "v.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uchar() % 7;
  int second = __VERIFIER_nondet_bool();
  unsigned a = 0, b = 0;
  if (second)
    goto right;
left:
  a++;
  if (a + b >= n)
    goto done;
right:
  b++;
  if (a + b < n)
    goto left;
done:
  assert(a + b == (n ? n : 1));
  assert(second ? b == a || b == a + 1 : a == b || a == b + 1);
  return 0;
}
