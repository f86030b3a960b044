// CAT: io
// TRUTH: ub
// ARGS:
// WHY: what is printed must not lie where it is printed to.
#include "v.h"
#include <stdio.h>
#include <string.h>

int main(void) {
  char text[20] = "ab";
  sprintf(text, "%s%s", text, "cd");
  assert(!strcmp(text, "abcd"));
  return 0;
}
