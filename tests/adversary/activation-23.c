// CAT: activation
// TRUTH: unsafe
// ARGS: --property memory-safety
// WHY: an array whose length is computed ends with its block.
#include "v.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 4 + 1;
  int *kept = 0;
  {
    int all[n];
    all[n - 1] = 7;
    kept = all + n - 1;
  }
  return *kept;
}
