// CAT: lib
// TRUTH: unsafe
// ARGS:
// WHY: tolower of a negative character is a positive number in glibc
#include "v.h"
#include <ctype.h>

int main(void) {
  int c = __VERIFIER_nondet_int();
  if (c >= -100 && c < -50 && tolower(c) > 0)
    reach_error();
  return 0;
}
