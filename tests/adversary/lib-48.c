// CAT: lib
// TRUTH: unsafe
// ARGS: --property memory-safety
// WHY: memcmp may read all bytes, whichever differ first.
#include "v.h"
#include <string.h>

int main(void) {
  char a[2] = "a", b[4] = "bcd";
  return memcmp(a, b, sizeof b) == 0;
}
