// CAT: checks
// CAT: checks
// TRUTH: unsafe
// ARGS: --property all
// NATIVE: skip
// WHY: a byte which is neither 0 nor 1 is copied into a bool and loaded from there
#include "v.h"
#include <string.h>

struct flags {
  _Bool on;
  char pad;
};

int main(void) {
  struct flags f = {0, 0};
  unsigned char raw = __VERIFIER_nondet_uchar() & 3;
  memcpy(&f, &raw, 1);
  return f.on ? 1 : 2;
}
