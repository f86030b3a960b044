// CAT: lib
// TRUTH: safe
// ARGS:
// WHY: what is read as a number of digits has only digits.
#include "v.h"
#include <stdio.h>

int main(void) {
  char digits[8];
  if (scanf("%7[0-9]", digits) == 1)
    assert(digits[0] != 'a');
  return 0;
}
