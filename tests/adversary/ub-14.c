// CAT: ub
// TRUTH: safe
// ARGS: -- -O2
// WHY: memmove may overlap in both directions, and a copy of 0 bytes from one behind the end is allowed.
#include "v.h"
#include <string.h>

int main(void) {
  char s[8] = "abcdefg";
  unsigned shift = __VERIFIER_nondet_uint();
  __VERIFIER_assume(shift <= 3);
  memmove(s + shift, s, 4);
  assert(s[shift] == 'a' && s[shift + 3] == 'd');
  memmove(s, s + shift, 4);
  assert(s[0] == 'a' && s[3] == 'd');
  memcpy(s, s + sizeof s, 0);
  assert(s[0] == 'a' && s[7] == '\0');
  return 0;
}
