// CAT: io
// TRUTH: unsafe
// ARGS:
// WHY: a number may stand behind a word, since blanks before it are passed over.
#include "v.h"
#include <stdio.h>
#include <string.h>

int main(void) {
  char word[10];
  int number;
  if (scanf("%9s%d", word, &number) == 2 && !strcmp(word, "abc") && number == 4)
    reach_error();
  return 0;
}
