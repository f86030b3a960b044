// CAT: io
// TRUTH: unsafe
// ARGS: --as-command
// WHY: glibc counts %3c at the end of the input with fewer bytes.
#include "v.h"

#include <stdio.h>

int main(void) {
  char text[4] = "";
  if (scanf("%3c", text) == 1)
    assert(text[1] != 0);
  return 0;
}
