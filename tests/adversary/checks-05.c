// CAT: checks
// CAT: checks
// TRUTH: unsafe
// ARGS: --property bounds
// NATIVE: skip
// WHY: a table with an entry for each of the 256 characters, but char is signed
#include "v.h"

static const unsigned char upper[256] = {['a'] = 'A', ['b'] = 'B'};

int main(void) {
  char text[3];
  for (int i = 0; i < 3; i++)
    text[i] = __VERIFIER_nondet_char();
  int sum = 0;
  for (int i = 0; i < 3 && text[i]; i++)
    sum += upper[text[i]];
  return sum;
}
