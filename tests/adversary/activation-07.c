// CAT: activation
// TRUTH: unsafe
// ARGS:
// WHY: two calls at one depth of a recursion have different variables.
#include "v.h"

static void put(int *to, int value) { *to = value; }

static int deep(int depth, int first) {
  int own;
  if (depth > 0) {
    int a = deep(depth - 1, 1);
    int b = deep(depth - 1, 0);
    own = a == b;
    return own;
  }
  if (first)
    put(&own, 3);
  return own;
}

int main(void) {
  if (deep(1, 0) == 0)
    reach_error();
  return 0;
}
