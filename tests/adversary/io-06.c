// CAT: io
// TRUTH: unsafe
// ARGS:
// WHY: the number 0 written with precision 0 is the empty text.
#include "v.h"
#include <stdio.h>

int main(void) {
  char buffer[16];
  unsigned char value = __VERIFIER_nondet_uchar();
  sprintf(buffer, "%.0d", value);
  if (buffer[0] < '0' || buffer[0] > '9')
    reach_error();
  return 0;
}
