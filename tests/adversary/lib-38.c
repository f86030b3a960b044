// CAT: lib
// TRUTH: unsafe
// ARGS:
// WHY: a call of memset is one of the program's own, whatever clang writes for it.
#include "v.h"

static int calls;

void *memset(void *to, int c, __SIZE_TYPE__ n) {
  volatile char *bytes = to;
  calls++;
  while (n--)
    *bytes++ = c;
  return to;
}

int main(void) {
  char large[600];
  memset(large, 3, sizeof large);
  assert(large[599] != 3 || calls == 0);
  return 0;
}
