// CAT: io
// TRUTH: safe
// ARGS:
// WHY: getchar gives an unsigned char or EOF, so c + 1 is an index into 257 entries.
#include "v.h"
#include <stdio.h>

static int seen[257];

int main(void) {
  for (int i = 0; i < 3; i++) {
    int c = getchar();
    assert(c + 1 >= 0 && c + 1 <= 256);
    seen[c + 1]++;
  }
  int c = getchar();
  if (c != EOF) {
    assert(ungetc(c, stdin) == c);
    assert(getchar() == c);
  }
  return 0;
}
