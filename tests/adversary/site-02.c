// CAT: site
// TRUTH: safe
// ARGS: --property memory-safety --target site-02.c:12
// WHY: the first copy fits, and the second does not.
#include "v.h"

#include <string.h>

int main(void) {
  char small[4], large[8];
  const char *text = __VERIFIER_nondet_bool() ? "abc" : "abcdef";
  strcpy(large, text);
  strcpy(small, text);
  return small[0] + large[0];
}
