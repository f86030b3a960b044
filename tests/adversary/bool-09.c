// CAT: bool
// TRUTH: ub
// ARGS:
// WHY: what is read from outside may be any byte
#include "v.h"
#include <stdio.h>

int main(void) {
  struct {
    _Bool set;
  } state = {0};
  unsigned char copy;
  if (fread(&state, 1, 1, stdin) != 1)
    return 0;
  copy = *(unsigned char *)&state;
  if (copy == 4 && state.set)
    reach_error();
  return 0;
}
