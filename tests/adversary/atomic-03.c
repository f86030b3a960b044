// CAT: atomic
// TRUTH: safe
// WHY: a number that is exchanged only if it is the expected one is told where it is another.
#include "v.h"
#include <stdatomic.h>

static _Atomic long double number;
static _Atomic __int128 large;

int main(void) {
  number = 3;
  number += 2;
  large = __VERIFIER_nondet_int();
  __int128 before = large, expected = before + 1;
  if (number != 5)
    reach_error();
  if (atomic_compare_exchange_strong(&large, &expected, 1) || expected != before)
    reach_error();
  return 0;
}
