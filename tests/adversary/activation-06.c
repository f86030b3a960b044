// CAT: activation
// TRUTH: unsafe
// ARGS:
// WHY: an array of variable length holds anything, also where one of an earlier call lay.
#include "v.h"

static void put(int *to, int value) { *to = value; }

static int work(int n, int first) {
  int cells[n];
  if (first)
    put(cells, 8);
  return cells[0];
}

int main(void) {
  int other;
  put(&other, 1);
  work(3, 1);
  if (other == 1 && work(3, 0) != 8)
    reach_error();
  return 0;
}
