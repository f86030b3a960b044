// CAT: bool
// TRUTH: ub
// ARGS:
// WHY: a number is added to the byte of a _Bool
#include "v.h"
int main(void) {
  struct { char name[3]; _Bool set; } s = { "ab", 0 };
  unsigned char *p = (unsigned char *)&s + 3;
  *p += 2;
  if (s.set) reach_error();
  return 0;
}
