// CAT: control
// TRUTH: unsafe
// WHY: a loop that reads what it steps over goes on, and one whose condition holds at the start is left.
#include "v.h"

static int cells[4] = {1, 1, 0, 1};
static int unless(int condition) {
  while (condition) {
  }
  return 1;
}
int main(void) {
  int *p = cells;
  int x = __VERIFIER_nondet_int();
  while (*p)
    p++;
  while (x < 0 || x == 9)
    ;
  unless(x > 20);
  assert(p != cells + 2 || x != 17);
  return 0;
}
