// CAT: ub
// TRUTH: ub
// ARGS:
// WHY: a bool whose byte is 2 is neither true nor false: code may test any bit of it.
#include "v.h"
#include <stdbool.h>
#include <string.h>

int main(void) {
  unsigned char byte = __VERIFIER_nondet_uchar();
  bool flag;
  memcpy(&flag, &byte, 1);
  int n = 0;
  if (flag)
    n++;
  if (!flag)
    n++;
  if (byte != 0 && !flag)
    reach_error();
  return n;
}
