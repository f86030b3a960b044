// CAT: memcpy
// TRUTH: ub
// ARGS:
// WHY: memcpy is not memmove
#include "v.h"
#include <string.h>

int main(void) {
  char text[] = "abcdefgh";
  memcpy(text + 1, text, 5);
  if (text[5] != 'e')
    reach_error();
  return 0;
}
