// CAT: ptr
// TRUTH: unsafe
// ARGS:
// WHY: an address does not survive 32 bits; converted back the pointer is another one
#include "v.h"
#include <stdint.h>

int main(void) {
  int x = __VERIFIER_nondet_int();
  unsigned low = (unsigned)(uintptr_t)&x;
  unsigned high = (unsigned)((uintptr_t)&x >> 32);
  uintptr_t whole = ((uintptr_t)high << 32) | low;
  int *good = (int *)whole;
  int *cut = (int *)(uintptr_t)low;
  assert(good == &x && *good == x);
  if (cut != good)
    reach_error();
  return 0;
}
