// CAT: io
// TRUTH: safe
// ARGS:
// WHY: so does a stream without another line or number, until that is forgotten.
#include "v.h"
#include <stdio.h>

int main(void) {
  char line[8];
  int x;
  if (!fgets(line, 8, stdin)) {
    assert(feof(stdin) || ferror(stdin));
    clearerr(stdin);
    assert(!feof(stdin));
  }
  if (scanf("%d", &x) == EOF)
    assert(feof(stdin) || ferror(stdin));
  return 0;
}
