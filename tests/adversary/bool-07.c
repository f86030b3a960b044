// CAT: bool
// TRUTH: ub
// ARGS:
// WHY: a byte that is none is copied twice before it is read as a _Bool
#include "v.h"
#include <string.h>

struct switches {
  int count;
  _Bool left, right;
};

int main(void) {
  unsigned char bytes[sizeof(struct switches)] = {0};
  struct switches first, second;
  bytes[5] = __VERIFIER_nondet_uchar();
  memcpy(&first, bytes, sizeof first);
  second = first;
  int left = second.left, right = second.right;
  if (left)
    reach_error();
  if (right == 0 && (bytes[5] & 1))
    reach_error();
  return 0;
}
