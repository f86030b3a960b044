// CAT: str
// TRUTH: unsafe
// ARGS:
// WHY: char is signed on x86-64, so hashing chars and hashing bytes differ from 0x80 on.
#include "v.h"

static unsigned hash_chars(const char *s, int n) {
  unsigned h = 5381;
  for (int i = 0; i < n; i++)
    h = h * 33 + s[i];
  return h;
}

static unsigned hash_bytes(const unsigned char *s, int n) {
  unsigned h = 5381;
  for (int i = 0; i < n; i++)
    h = h * 33 + s[i];
  return h;
}

int main(void) {
  char text[2] = {'k', __VERIFIER_nondet_char()};
  if (hash_chars(text, 2) != hash_bytes((const unsigned char *)text, 2))
    reach_error();
  return 0;
}
