// CAT: lib
// TRUTH: unsafe
// WHY: a function of the library leaves a pointer to memory of its own.
#define _GNU_SOURCE
#include "v.h"
#include <stdio.h>
#include <string.h>

int main(void) {
  char *text = 0;
  asprintf(&text, "%d", 7);
  if (!strcmp(text, "7"))
    reach_error();
  char own[6];
  own[0] = 'h';
  own[1] = 0;
  if (strcmp(own, "h"))
    reach_error();
  return 0;
}
