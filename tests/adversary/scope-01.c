// CAT: scope
// TRUTH: ub
// ARGS:
// WHY: the result of a call ends with its expression, and a pointer into it is used later
#include "v.h"
struct s { int a[3]; };
static struct s make(void) { struct s s = { { 1, 2, 3 } }; return s; }
int main(void) {
  int *p = 0;
  for (int i = 0; i < 2; i++) { if (i == 0) p = make().a; }
  if (p[1] != 2) reach_error();
  return 0;
}
