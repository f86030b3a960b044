// CAT: ptr
// TRUTH: unsafe
// ARGS:
// WHY: two tag bits in a pointer are free only if it is aligned by 4; a pointer to a char of a buffer is not
#include "v.h"
#include <stdint.h>

static void *tag(void *p, unsigned t) {
  return (void *)((uintptr_t)p | (t & 3));
}

static void *untag(void *p) {
  return (void *)((uintptr_t)p & ~(uintptr_t)3);
}

int main(void) {
  static _Alignas(8) char buffer[8];
  char *p = buffer + __VERIFIER_nondet_uchar() % 8;
  void *t = tag(p, __VERIFIER_nondet_uint());
  if (untag(t) != p)
    reach_error();
  return 0;
}
