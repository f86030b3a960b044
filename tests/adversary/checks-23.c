// CAT: checks
// TRUTH: unsafe
// ARGS: --property bounds
// WHY: an index that is no index of the array itself, but of what follows its first element
#include "v.h"

int main(void) {
  int a[4] = {0};
  unsigned i = __VERIFIER_nondet_uint();
  return (a + 1)[i];
}
