// CAT: checks
// TRUTH: safe
// ARGS: --property all
// WHY: the elements of a vector are divided by numbers that are not zero, and shifted by less than their width.
#include "v.h"

typedef int four __attribute__((vector_size(16)));
int main(void) {
  int n = __VERIFIER_nondet_int();
  four a = {n, 8, -8, 1}, b = {2, n | 1, 3, 1};
  if (n == -1)
    return 0;
  four c = a / b, d = c >> (b & 31);
  return d[2];
}
