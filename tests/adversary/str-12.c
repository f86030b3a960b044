// CAT: str
// TRUTH: unsafe
// ARGS:
// WITNESS: 11 0x37
// WHY: atoi skips every kind of white space, not only blanks: a vertical tab before the digit is enough.
#include "v.h"
#include <stdlib.h>

int main(void) {
  char text[3] = {__VERIFIER_nondet_char(), __VERIFIER_nondet_char(), 0};
  char c = text[0];
  if (c >= '0' && c <= '9')
    return 0;
  if (c == '-' || c == '+' || c == ' ' || c == '\t' || c == '\n')
    return 0;
  if (atoi(text) == 7)
    reach_error();
  return 0;
}
