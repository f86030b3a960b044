// CAT: ub
// TRUTH: unsafe
// ARGS:
// WHY: the members are equal, but memcmp also compares the padding, which an assignment of members leaves alone.
#include "v.h"
#include <string.h>

struct pair {
  char tag;
  int value;
};

int main(void) {
  struct pair a;
  struct pair b;
  memset(&a, 0x00, sizeof a);
  memset(&b, 0xff, sizeof b);
  a.tag = b.tag = 'x';
  a.value = b.value = __VERIFIER_nondet_int();
  if (memcmp(&a, &b, sizeof a) != 0)
    reach_error();
  return 0;
}
