// CAT: memcpy
// TRUTH: unsafe
// ARGS:
// WHY: The copy crosses the end of a row of a two-dimensional array and goes on in the next row.
#include "v.h"
#include <string.h>

int main(void) {
  int m[3][3] = {{0}};
  int v[4] = {1, 2, 3, 4};
  unsigned int at = __VERIFIER_nondet_uint() % 6;
  memcpy((char *)m + at * sizeof(int), v, sizeof v);
  if (m[2][0] == 3 && m[0][__VERIFIER_nondet_uint() % 3] == 0 && m[1][1] == 1) {
    reach_error();
  }
  return 0;
}
