// CAT: ptr
// TRUTH: unsafe
// ARGS:
// WHY: a literal may be the tail of another one: the linker really merges them, so the two pointers are equal
#include "v.h"

static const char *const whole = "a rather unusual text";
static const char *const tail = "unusual text";

int main(void) {
  unsigned n = __VERIFIER_nondet_uchar() % 16;
  const char *p = whole + n;
  if (p == tail)
    reach_error();
  return 0;
}
