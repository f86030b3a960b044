// CAT: io
// TRUTH: unsafe
// ARGS:
// NATIVE: skip
// STDIN: \0\n
// WHY: a line that fgets has read can be empty for strlen, because it can begin with a zero byte (needs stdin).
#include "v.h"
#include <stdio.h>
#include <string.h>

int main(void) {
  char line[8];
  if (fgets(line, sizeof line, stdin) != NULL) {
    size_t n = strlen(line);
    if (n == 0)
      reach_error();
    if (line[n - 1] == '\n')
      line[n - 1] = '\0';
  }
  return 0;
}
