// CAT: memcpy
// TRUTH: unsafe
// ARGS:
// WHY: memset converts its value to unsigned char, and 3 bytes leave the top byte of the int alone.
#include "v.h"
#include <string.h>

int main(void) {
  int x = __VERIFIER_nondet_char();
  int c = __VERIFIER_nondet_int();
  __VERIFIER_assume(c > 256);
  memset(&x, c, 3);
  if (x == -1) {
    reach_error();
  }
  return 0;
}
