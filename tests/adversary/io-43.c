// CAT: io
// TRUTH: unsafe
// ARGS:
// WHY: words that end with a comma, one behind the other in the same room.
#define _GNU_SOURCE
#include "v.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *word = NULL;
  size_t room = 0;
  int known = 0;
  for (int i = 0; i < 2 && getdelim(&word, &room, ',', stdin) > 0; i++)
    known += !strcmp(word, i ? "b" : "a,");
  free(word);
  if (known == 2)
    reach_error();
  return 0;
}
