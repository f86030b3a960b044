// CAT: lib
// TRUTH: unsafe
// ARGS:
// WHY: what is printed to a stream in memory is written to where it lies.
#define _GNU_SOURCE
#include "v.h"
#include <stdio.h>

int main(void) {
  char text[8] = "abcdefg";
  FILE *stream = fmemopen(text, sizeof text, "w");
  if (!stream)
    return 0;
  fputs("xy", stream);
  fclose(stream);
  assert(text[0] == 'a');
  return 0;
}
