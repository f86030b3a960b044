// CAT: str
// TRUTH: safe
// ARGS:
// WHY: strchr and memchr convert the wanted value to a char, so 'a' + 256 is found, and the terminator can be wanted.
#include "v.h"
#include <string.h>

int main(void) {
  const char *s = "xyzab";
  int wanted = 'a' + 256 * (__VERIFIER_nondet_int() % 100);
  assert(strchr(s, wanted) == s + 3);
  assert(memchr(s, wanted, 5) == s + 3);
  assert(memchr(s, wanted, 3) == NULL);
  assert(strchr(s, 256) == s + 5);
  assert(strrchr(s, '\0') == s + 5);
  return 0;
}
