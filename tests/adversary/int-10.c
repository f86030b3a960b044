// CAT: int
// TRUTH: unsafe
// ARGS:
// WHY: x * x == 1 modulo 2^32 has four roots, not two.
// WITNESS: 0x80000001
#include "v.h"

int main(void) {
  unsigned int x = __VERIFIER_nondet_uint();
  if (x * x != 1u) {
    return 0;
  }
  if (x != 1u && x != 0xffffffffu && x != 0x7fffffffu) {
    reach_error();
  }
  return 0;
}
