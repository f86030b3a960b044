// CAT: ub
// TRUTH: unsafe
// ARGS:
// WHY: the uninitialised local holds what the function called before left on the stack.
#include "v.h"

static void fill(void) {
  volatile int a[4];
  for (int i = 0; i < 4; i++)
    a[i] = 77;
}

static int peek(void) {
  volatile int b[4];
  return b[2];
}

int main(void) {
  fill();
  if (peek() == 77)
    reach_error();
  return 0;
}
