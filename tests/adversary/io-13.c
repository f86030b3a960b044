// CAT: io
// TRUTH: unsafe
// ARGS:
// NATIVE: skip
// STDIN: ab\xffcd
// WHY: the byte 0xff kept in a char equals EOF although the input has not ended (needs stdin).
#include "v.h"
#include <stdio.h>

int main(void) {
  char c;
  int n = 0;
  while ((c = getchar()) != EOF && n < 10)
    n++;
  if (n < 10 && !feof(stdin) && !ferror(stdin))
    reach_error();
  return 0;
}
