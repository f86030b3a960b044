// CAT: activation
// TRUTH: unsafe
// ARGS:
// WHY: the variable of the second call may have the address that the first one's had, and need not.
#include "v.h"

static unsigned long address(void) {
  int own;
  return (unsigned long)&own;
}

int main(void) {
  unsigned long first = address(), second = address();
  if (first == second)
    reach_error();
  return 0;
}
