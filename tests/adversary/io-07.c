// CAT: io
// TRUTH: safe
// ARGS:
// WHY: with a precision %s needs no terminator, so printing an unterminated array is right.
#include "v.h"
#include <stdio.h>
#include <string.h>

int main(void) {
  char raw[3];
  char out[8];
  for (int i = 0; i < 3; i++)
    raw[i] = __VERIFIER_nondet_char();
  int n = sprintf(out, "<%.*s>", 3, raw);
  assert(n >= 2 && n <= 5);
  assert((size_t)n == strlen(out));
  assert(out[0] == '<' && out[n - 1] == '>');
  if (raw[0] == '\0')
    assert(n == 2);
  return 0;
}
