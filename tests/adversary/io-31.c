// CAT: io
// TRUTH: unsafe
// ARGS:
// WHY: a text of two letters and one of one letter fit, with their ending cut off.
#include "v.h"
#include <stdio.h>
#include <string.h>

int main(void) {
  char name[3] = {__VERIFIER_nondet_char(), __VERIFIER_nondet_char(), 0}, file[6];
  int n = snprintf(file, sizeof file, "%s.txt", name);
  if (n == 6 && !strcmp(file, "ok.tx"))
    reach_error();
  return 0;
}
