// CAT: control
// TRUTH: safe
// ARGS:
// WHY: nobody jumps back, so setjmp returns once.
#include "v.h"
#include <setjmp.h>

static jmp_buf place;

int main(void) {
  int turn = setjmp(place);
  assert(turn == 0);
  return 0;
}
