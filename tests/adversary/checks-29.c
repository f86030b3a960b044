// CAT: checks
// TRUTH: unsafe
// ARGS: --property all
// WHY: an element of a vector is divided by zero.
#include "v.h"

typedef unsigned four __attribute__((vector_size(16)));
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  four a = {8, 8, 8, 8}, b = {1, 2, n | 1, n & 6};
  four c = a % b;
  return (int)c[2];
}
