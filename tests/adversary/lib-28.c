// CAT: lib
// TRUTH: unsafe
// ARGS:
// WHY: a word may be read that begins with this letter.
#include "v.h"
#include <stdio.h>

int main(void) {
  char word[4];
  if (scanf("%3s", word) == 1)
    assert(word[0] != 'a');
  return 0;
}
