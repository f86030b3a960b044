// CAT: env
// TRUTH: safe
// ARGS:
// WHY: the counter is volatile, so it keeps its value over the jumps and setjmp returns 0, 1, 2 and 3.
#include "v.h"
#include <setjmp.h>

static jmp_buf where;

static void again(int n) { longjmp(where, n); }

int main(void) {
  volatile int n = 0;
  if (setjmp(where) < 3) {
    n++;
    again(n);
  }
  assert(n == 3);
  return 0;
}
