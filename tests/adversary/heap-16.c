// CAT: heap
// TRUTH: unsafe
// ARGS:
// WHY: strdup copies only up to the first zero, which may come before a character that is not zero
#include "v.h"
#include <stdlib.h>
#include <string.h>

int main(void) {
  char text[4];
  for (int i = 0; i < 3; i++)
    text[i] = __VERIFIER_nondet_char();
  text[3] = 0;
  if (text[2] == 0)
    return 0;
  char *copy = strdup(text);
  if (copy && strlen(copy) != 3)
    reach_error();
  free(copy);
  return 0;
}
