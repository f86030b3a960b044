// CAT: structval
// TRUTH: safe
// ARGS:
// WHY: The conditional operator and a statement expression give copies, and the array in a returned struct can be indexed.
#include "v.h"

struct trio {
  _Alignas(8) signed char a[3];
};

static struct trio make(int base) {
  return (struct trio){{base, base + 1, base + 2}};
}

int main(void) {
  struct trio x = make(1);
  struct trio y = make(100);
  _Bool b = __VERIFIER_nondet_bool();
  unsigned int k = __VERIFIER_nondet_uint() % 3;
  struct trio z = b ? x : y;
  z.a[k] = -1;
  ({ x; }).a[0] = 77;
  assert((b ? x : y).a[k] == (b ? 1 : 100) + (int)k);
  assert(make(126).a[k] == (k == 2 ? -128 : 126 + (int)k));
  assert(sizeof z == 8 && (unsigned long)&z % 8 == 0);
  assert(x.a[0] == 1);
  return 0;
}
