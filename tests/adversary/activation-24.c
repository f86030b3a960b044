// CAT: activation
// TRUTH: safe
// ARGS: --property memory-safety
// WHY: what was reserved before an array whose length is computed outlives it, and each turn has an array of its own.
#include "v.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 3 + 1, sum = 0;
  unsigned *before = __builtin_alloca(sizeof *before);
  *before = 5;
  for (unsigned turn = 0; turn < n; turn++) {
    unsigned all[turn + 1], *last = &all[turn];
    if (turn == 2)
      continue;
    *last = turn;
    sum += *last + *before;
  }
  return (int)(sum + *before);
}
