// CAT: lib
// TRUTH: safe
// ARGS: --property memory-safety
// WHY: memcmp reads what is there.
#include "v.h"
#include <string.h>

int main(void) {
  char a[4] = "abc", b[4] = "abd";
  return memcmp(a, b, sizeof b) == 0 || memcmp(a + 4, b, 0) != 0;
}
