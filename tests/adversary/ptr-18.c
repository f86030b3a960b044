// CAT: ptr
// TRUTH: safe
// ARGS:
// WHY: moving a pointer back and forth by whole objects through integers never dereferences anything but the array
#include "v.h"
#include <stdint.h>

int main(void) {
  int a[2] = {5, 6};
  uintptr_t key = __VERIFIER_nondet_ulong();
  uintptr_t hidden = (uintptr_t)&a[1] * 3 + key;
  hidden = (hidden << 32) | (hidden >> 32);
  hidden = ~hidden;
  hidden = ~hidden;
  hidden = (hidden >> 32) | (hidden << 32);
  int *p = (int *)((hidden - key) * 0xaaaaaaaaaaaaaaabul);
  assert(*p == 6 && p[-1] == 5);
  return 0;
}
