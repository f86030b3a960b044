// CAT: ext
// TRUTH: safe
// ARGS: --externals havoc -- -O2
// NATIVE: skip
// WHY: the attribute const promises that the result depends on the arguments alone and that nothing is touched.
#include "v.h"

int square(int x) __attribute__((const));

int visible = 6;

int main(void) {
  int x = __VERIFIER_nondet_int();
  visible = x;
  int a = square(x);
  int b = square(x);
  assert(visible == x);
  assert(a == b);
  return 0;
}
