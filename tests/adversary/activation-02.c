// CAT: activation
// TRUTH: safe
// ARGS:
// WHY: the helper sets the variable on every path.
#include "v.h"

static int set(int *to, int value) {
  if (value < 0) {
    *to = 0;
    return -1;
  }
  *to = value;
  return 0;
}

static int parse(int given) {
  int result;
  set(&result, given);
  return result;
}

static int other(int given) {
  int kept;
  return set(&kept, given) == 0 ? kept : 1;
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (parse(-3) != 0 || parse(5) != 5 || other(x) < 0)
    reach_error();
  return 0;
}
