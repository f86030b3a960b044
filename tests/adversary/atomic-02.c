// CAT: atomic
// TRUTH: unsafe
// WHY: a large atomic object may hold what was stored last.
#include "v.h"
#include <stdatomic.h>

struct triple {
  long first, second, third;
};
static _Atomic struct triple atomic;

int main(void) {
  struct triple value = {__VERIFIER_nondet_int(), 2, 3}, other = {1, 1, 1};
  atomic = value;
  struct triple old = atomic_exchange(&atomic, other), now = atomic;
  if (old.first == 7 && old.third == 3 && now.third == 1)
    reach_error();
  return 0;
}
