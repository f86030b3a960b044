// CAT: control
// CAT: control
// TRUTH: unsafe
// ARGS:
// WHY: a variable length array declared in a loop is given back each time, so the next one may be at the same place
#include "v.h"
#include <stdint.h>

int main(void) {
  uintptr_t before = 0;
  for (int i = 0; i < 3; i++) {
    unsigned n = __VERIFIER_nondet_uchar() % 16 + 1;
    char a[n];
    a[0] = 1;
    uintptr_t now = (uintptr_t)a;
    if (now == before)
      reach_error();
    before = now;
  }
  return 0;
}
