// CAT: checks
// CAT: checks
// TRUTH: unsafe
// ARGS: --property null
// NATIVE: skip
// WHY: malloc of a size taken from a negative number fails, and its result is used unchecked
#include "v.h"
#include <stdlib.h>

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n == 0)
    return 0;
  char *p = malloc(n);
  *p = 1;
  int r = *p;
  free(p);
  return r;
}
