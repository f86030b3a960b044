// CAT: bool
// TRUTH: ub
// ARGS:
// WHY: the array begins anew for each element: which bytes a pointer to char changes is not known
#include "v.h"

struct entry {
  short key;
  _Bool used;
};

static struct entry table[3];

int main(void) {
  unsigned at = __VERIFIER_nondet_uint();
  char *bytes = (char *)table;
  if (at >= sizeof table)
    return 0;
  bytes[at] = 4;
  for (int i = 0; i < 3; i++)
    if (table[i].used)
      reach_error();
  return 0;
}
