// CAT: lib
// TRUTH: unsafe
// ARGS: --property bounds
// WHY: memcmp reads beyond an array also where only bounds are asked for.
#include "v.h"
#include <string.h>

int main(void) {
  char a[2] = "a", b[4] = "bcd";
  return memcmp(a, b, sizeof b) == 0;
}
