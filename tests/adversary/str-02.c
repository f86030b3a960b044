// CAT: str
// TRUTH: safe
// ARGS:
// WHY: char is signed here, but strcmp and memcmp compare as unsigned char, so a negative char is greater than a letter.
#include "v.h"
#include <string.h>

int main(void) {
  char c = __VERIFIER_nondet_char();
  char s[2] = {c, 0};
  if (c < 0) {
    assert(c < 'z');
    assert(strcmp(s, "z") > 0);
    assert(memcmp(s, "z", 1) > 0);
    assert(strncmp("z", s, 5) < 0);
  }
  return 0;
}
