// CAT: io
// TRUTH: safe
// ARGS:
// WHY: fread counts items, not bytes, and a short count is 0 to 3 here, also after an error.
#include "v.h"
#include <stdio.h>

int main(void) {
  struct {
    short items[3];
    short guard;
  } s = {{1, 2, 3}, 4};
  size_t n = fread(s.items, sizeof(short), 3, stdin);
  assert(n <= 3);
  assert(s.guard == 4);
  if (n < 3)
    assert(feof(stdin) || ferror(stdin));
  assert(fread(s.items, 0, 3, stdin) == 0);
  return 0;
}
