// CAT: ub
// TRUTH: unsafe
// ARGS:
// WHY: from its turn 101 on the loop writes behind the array, in the last step of the turn, and that is where the other variable is.
#include "v.h"

static int table[100];
static int other;

int main(void) {
  unsigned long n = __VERIFIER_nondet_ulong(), i = 0;
  while (i < n) {
    i++;
    table[i - 1] = 1;
  }
  assert(i == n && other == 0);
  return 0;
}
