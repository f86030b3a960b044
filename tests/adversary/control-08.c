// CAT: control
// CAT: control
// TRUTH: safe
// ARGS:
// WHY: memory of alloca in a loop stays until the function returns, each round gets another piece
#include "v.h"
#include <alloca.h>

int main(void) {
  unsigned n = __VERIFIER_nondet_uchar() % 4 + 1;
  int *last = 0, **chain = 0;
  for (unsigned i = 0; i < n; i++) {
    int **cell = alloca(2 * sizeof(int *));
    int *value = alloca(sizeof(int));
    *value = (int)i;
    assert(value != last);
    last = value;
    cell[0] = value;
    cell[1] = (int *)chain;
    chain = cell;
  }
  unsigned count = 0;
  while (chain) {
    count++;
    assert(*chain[0] == (int)(n - count));
    chain = (int **)chain[1];
  }
  assert(count == n);
  return 0;
}
