// CAT: str
// TRUTH: unsafe
// ARGS: --property memory-safety
// WHY: strncpy copies between ranges that overlap only if the count is large enough
#include "v.h"
#include <string.h>

int main(void) {
  char text[16] = "abcdefgh";
  unsigned n = __VERIFIER_nondet_uint();
  if (n <= 5)
    strncpy(text, text + 4, n);
  return text[0] == 0;
}
