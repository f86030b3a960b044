// CAT: activation
// TRUTH: unsafe
// ARGS:
// WHY: memory of alloca holds anything, also where it lay before.
#include "v.h"

static void put(int *to, int value) { *to = value; }

static int work(int first) {
  int *cells = __builtin_alloca(2 * sizeof(int));
  if (first)
    put(cells, 8);
  return cells[0];
}

int main(void) {
  int other;
  put(&other, 1);
  work(1);
  if (other == 1 && work(0) != 8)
    reach_error();
  return 0;
}
