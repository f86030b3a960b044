// CAT: memcpy
// TRUTH: safe
// ARGS:
// WHY: memcpy copies padding as well, so bytes hidden between the members survive.
#include "v.h"
#include <string.h>

struct gap {
  char c;
  int i;
  short s;
};

int main(void) {
  struct gap a;
  struct gap b;
  unsigned int k = __VERIFIER_nondet_uint() % sizeof a;
  unsigned char v = __VERIFIER_nondet_uchar();
  memset(&a, 0x5a, sizeof a);
  memset(&b, 0, sizeof b);
  ((unsigned char *)&a)[k] = v;
  memcpy(&b, &a, sizeof a);
  assert(((unsigned char *)&b)[k] == v);
  assert(((unsigned char *)&b)[(k + 5) % sizeof b] == 0x5a);
  assert(sizeof a == 12);
  return 0;
}
