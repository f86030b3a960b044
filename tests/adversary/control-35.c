// CAT: control
// TRUTH: safe
// WHY: a function that traps does not return.
#include "v.h"

_Noreturn static void die(void) { __builtin_trap(); }
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == 3)
    die();
  assert(x != 3);
  return 0;
}
