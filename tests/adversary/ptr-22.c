// CAT: ptr
// TRUTH: unsafe
// ARGS:
// WHY: assembly that says so writes to where the pointers lead that it is given.
#include "v.h"

int main(void) {
  int x = 1, *p = &x;
  __asm__ volatile("movl $9, (%0)" : : "r"(p) : "memory");
  assert(x == 1);
  return 0;
}
