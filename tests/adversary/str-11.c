// CAT: str
// TRUTH: safe
// ARGS:
// WHY: "0x" without a hex digit after it is the number 0 followed by an x, not an error and not a prefix.
#include "v.h"
#include <ctype.h>
#include <stdlib.h>

int main(void) {
  char c = __VERIFIER_nondet_char();
  char text[4] = {'0', 'x', c, 0};
  char *end;
  long value = strtol(text, &end, 16);
  if (isxdigit((unsigned char)c)) {
    assert(end == text + 3);
    assert(value >= 0 && value <= 15);
  } else {
    assert(end == text + 1);
    assert(value == 0);
  }
  return 0;
}
