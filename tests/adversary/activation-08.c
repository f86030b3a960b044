// CAT: activation
// TRUTH: unsafe
// ARGS:
// WHY: a variable that is declared in a loop holds anything each time round.
#include "v.h"

static void put(int *to, int value) { *to = value; }

int main(void) {
  int sum = 0;
  int other;
  put(&other, 0);
  for (int i = 0; i < 2; i++) {
    int own;
    if (i == 0)
      put(&own, 5);
    sum += own;
  }
  if (sum != 10 + other)
    reach_error();
  return 0;
}
