// CAT: atomic
// TRUTH: ub
// ARGS:
// WHY: a weak exchange may fail although the value is the expected one, as it does on some machines.
#include "v.h"
#include <stdatomic.h>

static atomic_int turn;

int main(void) {
  int expected = 0;
  if (!atomic_compare_exchange_weak(&turn, &expected, 1) && expected == 0)
    reach_error();
  return 0;
}
