// CAT: io
// TRUTH: unsafe
// ARGS:
// WHY: snprintf returns the length the whole text would have had, not the number of characters stored.
#include "v.h"
#include <stdio.h>
#include <string.h>

int main(void) {
  char buffer[6];
  unsigned value = __VERIFIER_nondet_uint();
  int n = snprintf(buffer, sizeof buffer, "%u", value);
  if (n != (int)strlen(buffer))
    reach_error();
  return 0;
}
