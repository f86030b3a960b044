// CAT: str
// TRUTH: safe
// ARGS:
// WHY: toupper leaves everything but a-z alone, the bytes from 0x80 (C locale) and EOF too.
#include "v.h"
#include <ctype.h>
#include <stdio.h>

int main(void) {
  unsigned char c = __VERIFIER_nondet_uchar();
  int up = toupper(c);
  if (c >= 'a' && c <= 'z')
    assert(up == c - 32);
  else
    assert(up == c);
  assert(toupper(EOF) == EOF);
  assert(!isalpha(EOF));
  if (c >= 0x80)
    assert(!isprint(c) && !iscntrl(c) && !isspace(c));
  return 0;
}
