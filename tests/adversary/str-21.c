// CAT: str
// TRUTH: unsafe
// ARGS: --property valid-deref
// WHY: cutting off the first character by strcpy copies between ranges that overlap
#include "v.h"
#include <string.h>

int main(void) {
  char text[8] = "abcdef";
  strcpy(text, text + 1);
  return text[0] != 'b';
}
