// CAT: io
// TRUTH: unsafe
// ARGS: --as-command
// WHY: scanf allocates what %ms reads.
#include "v.h"

#include <stdio.h>

int main(void) {
  char *text = 0;
  if (scanf("%ms", &text) == 1)
    assert(text[0] == 0);
  return 0;
}
