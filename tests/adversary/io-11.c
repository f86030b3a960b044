// CAT: io
// TRUTH: safe
// ARGS:
// WHY: whatever comes in, fgets stores at most size - 1 characters and a terminator, and never what lies behind.
#include "v.h"
#include <stdio.h>
#include <string.h>

int main(void) {
  struct {
    char line[8];
    char guard;
  } s;
  s.guard = '$';
  if (fgets(s.line, sizeof s.line, stdin) != NULL) {
    size_t n = strlen(s.line);
    assert(n <= 7);
    for (size_t i = 0; i + 1 < n; i++)
      assert(s.line[i] != '\n');
  }
  assert(s.guard == '$');
  return 0;
}
