// CAT: str
// TRUTH: safe
// ARGS:
// WHY: with base 0 a leading zero means octal, so the 8 of "08" ends the number and atoi reads it otherwise.
#include "v.h"
#include <stdlib.h>

int main(void) {
  char digit = __VERIFIER_nondet_char();
  __VERIFIER_assume(digit >= '0' && digit <= '9');
  char text[3] = {'0', digit, 0};
  char *end;
  long value = strtol(text, &end, 0);
  if (digit < '8') {
    assert(value == digit - '0');
    assert(end == text + 2);
  } else {
    assert(value == 0);
    assert(end == text + 1);
  }
  assert(atoi(text) == digit - '0');
  return 0;
}
