// CAT: atomic
// TRUTH: safe
// WHY: what is stored into an atomic structure is loaded from it again.
#include "v.h"
#include <stdatomic.h>

struct pair {
  long first, second;
};

int main(void) {
  _Atomic struct pair atomic;
  struct pair value = {__VERIFIER_nondet_int(), 2};
  atomic_init(&atomic, value);
  struct pair loaded = atomic;
  if (loaded.first != value.first || loaded.second != 2)
    reach_error();
  return 0;
}
