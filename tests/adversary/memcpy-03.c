// CAT: memcpy
// TRUTH: unsafe
// ARGS:
// WHY: memcmp orders integers by their lowest byte first on a little-endian machine, not by value.
#include "v.h"
#include <string.h>

int main(void) {
  unsigned int a = __VERIFIER_nondet_uchar();
  unsigned int b = __VERIFIER_nondet_ushort();
  if (a < b && memcmp(&a, &b, sizeof a) > 0) {
    reach_error();
  }
  return 0;
}
