// CAT: memcpy
// TRUTH: safe
// ARGS:
// WHY: Nested union: the short inside a struct shares the upper bytes of the int, and packed members lie at odd offsets.
#include "v.h"
#include <string.h>

union mix {
  unsigned int word;
  struct {
    unsigned char a;
    struct __attribute__((packed)) {
      unsigned char b;
      unsigned short c;
    } in;
  } s;
};

int main(void) {
  union mix u;
  u.word = __VERIFIER_nondet_uint();
  unsigned int old = u.word;
  unsigned short t = __VERIFIER_nondet_ushort();
  assert(sizeof u == 4);
  memcpy(&u.s.in, &t, 2);
  assert(u.s.a == (old & 255));
  assert(u.s.in.b == (t & 255));
  assert(u.s.in.c == ((old >> 24) << 8 | t >> 8));
  assert(u.word == ((old & 0xff0000ff) | (unsigned int)t << 8));
  return 0;
}
