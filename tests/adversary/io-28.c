// CAT: io
// TRUTH: safe
// ARGS:
// WHY: a stream that gives no more characters says that it is at its end, or that it failed.
#include "v.h"
#include <stdio.h>

int main(void) {
  int c, n = 0;
  while ((c = getchar()) != EOF && n < 3)
    n++;
  if (c == EOF)
    assert(feof(stdin) || ferror(stdin));
  return 0;
}
