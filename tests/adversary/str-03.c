// CAT: str
// TRUTH: unsafe
// ARGS:
// WHY: isdigit returns some nonzero value, in glibc 2048, so adding up the results does not count the digits.
#include "v.h"
#include <ctype.h>

int main(void) {
  const char text[] = "a1b22";
  int digits = 0;
  for (int i = 0; text[i] != '\0'; i++)
    digits += isdigit((unsigned char)text[i]);
  if (digits != 3)
    reach_error();
  return 0;
}
