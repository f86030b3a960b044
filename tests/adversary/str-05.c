// CAT: str
// TRUTH: unsafe
// ARGS:
// WHY: strncpy with a count equal to the length writes no terminator, so the old content follows.
#include "v.h"
#include <string.h>

int main(void) {
  char buffer[9] = "########";
  const char *word = "abcd";
  strncpy(buffer, word, strlen(word));
  if (strlen(buffer) != strlen(word))
    reach_error();
  return 0;
}
