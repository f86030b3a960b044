// CAT: str
// TRUTH: unsafe
// ARGS:
// WITNESS: 105 110 102
// WHY: a text of three small letters can be a number for strtod: inf and nan.
#include "v.h"
#include <stdlib.h>

int main(void) {
  char text[4];
  for (int i = 0; i < 3; i++) {
    text[i] = __VERIFIER_nondet_char();
    __VERIFIER_assume(text[i] >= 'a' && text[i] <= 'z');
  }
  text[3] = '\0';
  double value = strtod(text, NULL);
  if (value != 0.0)
    reach_error();
  return 0;
}
