// CAT: io
// TRUTH: unsafe
// ARGS: --property memory-safety
// WHY: a line that is not freed is lost.
#define _GNU_SOURCE
#include "v.h"
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char *line = NULL;
  size_t room = 0;
  ssize_t length = getline(&line, &room, stdin);
  if (length == 3 && line[0] == 'o' && line[1] == 'k')
    return 0;
  free(line);
  return 0;
}
