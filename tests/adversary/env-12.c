// CAT: env
// TRUTH: unsafe
// ARGS:
// WHY: longjmp with the value 0 makes setjmp return 1, so this is no endless loop.
#include "v.h"
#include <setjmp.h>

static jmp_buf where;

int main(void) {
  if (setjmp(where) == 0)
    longjmp(where, 0);
  reach_error();
  return 0;
}
