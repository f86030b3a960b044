// CAT: io
// TRUTH: unsafe
// ARGS: --property valid-deref
// WHY: a long line fills as much as fgets is told, which is one more than there is
#include "v.h"
#include <stdio.h>

int main(void) {
  char line[8];
  if (!fgets(line, sizeof line + 1, stdin))
    return 0;
  return line[0] == '#';
}
