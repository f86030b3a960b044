// CAT: str
// TRUTH: safe
// ARGS:
// WHY: strncat always terminates, writing count + 1 bytes at most, while strncpy pads with zeros up to the count.
#include "v.h"
#include <string.h>

int main(void) {
  struct {
    char text[6];
    char guard;
    char padded[6];
  } s;
  s.guard = '!';
  strcpy(s.text, "ab");
  strncat(s.text, "wxyz", 3);
  memset(s.padded, '#', sizeof s.padded);
  strncpy(s.padded, "q", 5);
  assert(s.text[5] == '\0' && strlen(s.text) == 5);
  assert(s.text[4] == 'y');
  assert(s.guard == '!');
  assert(s.padded[4] == '\0' && s.padded[5] == '#');
  return 0;
}
