// CAT: activation
// TRUTH: unsafe
// ARGS:
// WHY: the function is called in a loop.
#include "v.h"

static void put(int *to, int value) { *to = value; }

static int work(int set) {
  int own;
  if (set)
    put(&own, 3);
  return own;
}

int main(void) {
  int sum = 0;
  int other;
  put(&other, 0);
  for (int i = 0; i < 3; i++)
    sum += work(i != 2);
  if (sum != 9 + other)
    reach_error();
  return 0;
}
