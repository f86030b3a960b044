// CAT: io
// TRUTH: unsafe
// ARGS: --property memory-safety
// WHY: a word of three letters has a zero behind it.
#include "v.h"
#include <stdio.h>

int main(void) {
  char word[3];
  return sscanf("word", "%3s", word);
}
