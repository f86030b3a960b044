// CAT: optlevel
// TRUTH: safe
// ARGS: -- -O3
// WHY: The loop that stores a constant becomes memset, the one that stores its neighbour must not become memcpy.
#include "v.h"

int main(void) {
  int a[12];
  int b[12];
  unsigned int n = __VERIFIER_nondet_uint() % 12;
  for (unsigned int i = 0; i < 12; i++) {
    a[i] = 0x01010101 * (i < 6);
    b[i] = i;
  }
  for (unsigned int i = 0; i < n; i++) {
    a[i] = -1;
    b[i + 1] = b[i];
  }
  unsigned int k = __VERIFIER_nondet_uint() % 12;
  assert(a[k] == (k < n ? -1 : k < 6 ? 0x01010101 : 0));
  assert(b[k] == (k <= n ? 0 : (int)k));
  return 0;
}
