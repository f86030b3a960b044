// CAT: structval
// TRUTH: safe
// ARGS:
// WHY: A zero-width field starts a new unit, so fields that would share a word do not, and the sizes change.
#include "v.h"
#include <string.h>

struct split {
  unsigned int a : 5;
  unsigned int : 0;
  unsigned int b : 5;
};

struct joined {
  unsigned char a : 5;
  unsigned int b : 20;
  unsigned char c : 7;
};

int main(void) {
  unsigned int v = __VERIFIER_nondet_uint();
  struct split s = {v, v >> 5};
  unsigned int w[2];
  struct joined j;
  unsigned int q = 0;
  memset(&j, 0, sizeof j);
  j.b = v;
  memcpy(&q, &j, sizeof j);
  memcpy(w, &s, sizeof s);
  assert(sizeof s == 8 && sizeof j == 4);
  assert((w[1] & 31) == ((v >> 5) & 31) && (w[0] & 31) == (v & 31));
  assert(q == (v & 0xfffff) << 5);
  return 0;
}
