// CAT: lib
// TRUTH: unsafe
// ARGS:
// WHY: two results are written to where the arguments lead.
#include "v.h"
void sincos(double, double *, double *);

int main(void) {
  double sine = 9, cosine = 9;
  sincos(__VERIFIER_nondet_int() & 1, &sine, &cosine);
  assert(sine == 9 && cosine == 9);
  return 0;
}
