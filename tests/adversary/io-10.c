// CAT: io
// TRUTH: safe
// ARGS:
// WHY: %i takes the base from the prefix, %d does not, a suppressed conversion is not counted and %c skips no blank.
#include "v.h"
#include <stdio.h>

int main(void) {
  int a = 0;
  int b = 0;
  int c = 0;
  char blank = 0;
  int n = sscanf("0x1f 010 77 010", "%i%i%*d%c%d", &a, &b, &blank, &c);
  assert(n == 4);
  assert(a == 31);
  assert(b == 8);
  assert(blank == ' ');
  assert(c == 10);
  return 0;
}
