// CAT: int
// TRUTH: safe
// ARGS:
// WHY: ~c on an unsigned char is computed in int, so it is never zero, not even for 255.
#include "v.h"

int main(void) {
  unsigned char c = __VERIFIER_nondet_uchar();
  if (~c == 0) {
    reach_error();
  }
  if (~c >= 0) {
    reach_error();
  }
  return 0;
}
