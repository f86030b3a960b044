// CAT: io
// TRUTH: unsafe
// ARGS: --as-command
// WHY: a descriptor that reads is no stream that writes.
#include "v.h"

#include <fcntl.h>
#include <stdio.h>

int main(void) {
  int number = open("a", O_RDONLY);
  if (number < 0)
    return 0;
  assert(fdopen(number, "w"));
  return 0;
}
