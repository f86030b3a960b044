// CAT: memcpy
// TRUTH: safe
// ARGS:
// WHY: Doubles copied by halves into ints and back in another order are equal only where both halves were.
#include "v.h"
#include <string.h>

int main(void) {
  double d[2] = {__VERIFIER_nondet_int(), 0.25};
  unsigned int w[4];
  double e[2];
  memcpy(w, d, sizeof w);
  unsigned int t = w[1];
  w[1] = w[3];
  w[3] = t;
  memcpy(e, w, sizeof e);
  assert(w[2] == 0);
  assert(e[0] >= 0.25 && e[0] < 0.25 + 0x1p-20);
  double diff = d[0] < 0 ? e[1] - d[0] : d[0] - e[1];
  assert(diff >= 0 && (diff < 2048));
  return 0;
}
