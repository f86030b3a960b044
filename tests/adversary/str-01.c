// CAT: str
// TRUTH: unsafe
// ARGS:
// WHY: only the sign of strcmp is specified; glibc returns the difference of the bytes, not -1, 0 or 1.
#include "v.h"
#include <string.h>

int main(void) {
  char a[2] = {__VERIFIER_nondet_char(), 0};
  char b[2] = {__VERIFIER_nondet_char(), 0};
  int order = strcmp(a, b);
  int table[3] = {0, 0, 0};
  if (order < -1 || order > 1)
    reach_error();
  else
    table[order + 1]++;
  return table[1];
}
