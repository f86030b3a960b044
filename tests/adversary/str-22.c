// CAT: str
// TRUTH: safe
// ARGS: --property valid-deref
// WHY: halves of one array that touch do not overlap, nor does a text that nothing is appended to
#include "v.h"
#include <string.h>

int main(void) {
  char text[12] = "abc";
  strcpy(text + 4, text);
  strncpy(text + 8, text + 4, 4);
  strcat(text, text + 3);
  strncat(text, text + 8, 0);
  return text[8] != 'a';
}
