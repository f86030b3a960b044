// CAT: fptr
// CAT: fptr
// TRUTH: safe
// ARGS:
// WHY: a weak function which nobody defines has the address null, so the guarded call is never made
#include "v.h"

extern int optional_hook(int x) __attribute__((weak));

static int call(int (*f)(int), int x) {
  return f ? f(x) : -1;
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  int r = call(optional_hook, x);
  if (optional_hook && optional_hook(x) == x)
    reach_error();
  assert(r == -1);
  return 0;
}
