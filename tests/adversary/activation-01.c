// CAT: activation
// TRUTH: unsafe
// ARGS:
// WHY: the parameter stays unset on the failing path: the variable holds anything, and not what an earlier call left.
#include "v.h"

static void set(int *to, int value) { *to = value; }

static int parse(int ok) {
  int result;
  if (ok)
    set(&result, 4);
  return result;
}

static int other(void) {
  int kept;
  set(&kept, 9);
  return kept;
}

int main(void) {
  int sum = other() + parse(1);
  if (sum == 13 && parse(0) != 4)
    reach_error();
  return 0;
}
