// CAT: activation
// TRUTH: safe
// ARGS:
// WHY: what is declared in the loop is set each time round.
#include "v.h"

static void put(int *to, int value) { *to = value; }

int main(void) {
  int sum = 0;
  int other;
  put(&other, 0);
  for (int i = 0; i < 3; i++) {
    int own = 1;
    put(&own, own + i);
    sum += own;
  }
  if (sum != 6 + other)
    reach_error();
  return 0;
}
