// CAT: checks
// CAT: checks
// TRUTH: unsafe
// ARGS: --property all
// NATIVE: skip
// WHY: memcpy of zero bytes from a null pointer: its parameters are declared nonnull whatever the size
#include "v.h"
#include <string.h>

int main(void) {
  char target[8] = {0};
  char source[8] = {1, 2, 3};
  unsigned n = __VERIFIER_nondet_uint() % 8;
  char *from = n ? source : 0;
  memcpy(target, from, n);
  return target[0];
}
