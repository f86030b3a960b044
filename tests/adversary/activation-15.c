// CAT: activation
// TRUTH: unsafe
// ARGS:
// WHY: a floating-point variable that is not set.
#include "v.h"

static void put(double *to, double value) { *to = value; }

static int work(int first) {
  double own;
  if (first)
    put(&own, 2.5);
  return own == 2.5;
}

static int other(void) {
  double own;
  put(&own, 1.0);
  return own == 1.0;
}

int main(void) {
  int sum = other() + work(1);
  if (sum == 2 && !work(0))
    reach_error();
  return 0;
}
