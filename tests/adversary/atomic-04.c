// CAT: atomic
// TRUTH: unsafe
// WHY: operations on numbers of 128 bits are functions of a library that is not linked.
#include "v.h"
#include <stdatomic.h>

static _Atomic __int128 number;

int main(void) {
  number = __VERIFIER_nondet_int();
  number += 1;
  number |= 4;
  if (number == 7)
    reach_error();
  return 0;
}
