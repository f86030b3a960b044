// CAT: bool
// TRUTH: ub
// ARGS:
// WHY: a _Bool of 255, twice, is 2, 510 or -2
#include "v.h"
#include <string.h>
static _Bool flags[4];
int main(void) {
  int i = __VERIFIER_nondet_int() & 3;
  memset(flags, -1, sizeof flags);
  int a = flags[i] + flags[i];
  if (a != 2) reach_error();
  return 0;
}
